import { askOperatorsPort } from '@svc/service/admin/operators-port';
import type { AdminCommand } from '@svc/service/admin/run-admin';

/** `svc admin submissions …`: what waits for an authority or a review, by `/admin/submissions` of the operators' port. */
export const waitingCommands: AdminCommand[] = [
  {
    name: 'submissions list',
    about:
      'Lists the documents that have waited longest for an authority, or with --waits-for review for a person: 100 of one authority or all, and how many there are.',
    options: { authority: 'AUTHORITY', 'waits-for': 'authority|review', livemode: 'true|false' },
    run: ({ 'waits-for': waitsFor, ...given }) =>
      askOperatorsPort('OPS_TOKEN', 'GET', `/submissions?${new URLSearchParams({ ...given, ...(waitsFor && { waits_for: waitsFor }) })}`),
  },
  {
    name: 'submissions wake',
    about: 'Takes a document up now, whatever it waits for. One that is over is no longer counted.',
    options: { id: 'DOCUMENT' },
    run: (given) => askOperatorsPort('OPS_TOKEN', 'POST', '/submissions/wake', given),
  },
  {
    name: 'submissions resolve',
    about:
      'Ends the doubt about a document as its owner does by POST /v1/…/resolve: registered with the code that the authority shows, or not_registered.',
    options: { id: 'DOCUMENT', outcome: 'registered|not_registered', code: 'CODE', note: 'TEXT' },
    run: (given) => askOperatorsPort('OPS_TOKEN', 'POST', '/submissions/resolve', given),
  },
];
