import { askOperatorsPort } from '@svc/service/admin/operators-port';
import type { AdminCommand } from '@svc/service/admin/run-admin';

const ask = (path: string, given: object): Promise<unknown> => askOperatorsPort('OPS_TOKEN', 'POST', `/submissions/${path}`, given);

/** `svc admin submissions …`, by `/admin/submissions` of the operators' port. */
export const submissionCommands: AdminCommand[] = [
  {
    name: 'submissions list',
    about:
      'Lists the documents that have waited longest for an authority, or with --waits-for review for a person, or with --failing true those at whose records an authority fails each time: 100 of one authority or all, and how many there are.',
    options: { authority: 'AUTHORITY', 'waits-for': 'authority|review', failing: 'true|false', livemode: 'true|false' },
    defaults: { 'waits-for': 'authority', failing: 'false', livemode: 'true' },
    run: ({ 'waits-for': waitsFor, ...given }) =>
      askOperatorsPort('OPS_TOKEN', 'GET', `/submissions?${new URLSearchParams({ ...given, ...(waitsFor && { waits_for: waitsFor }) })}`),
  },
  {
    name: 'submissions wake',
    about: 'Takes a document up now, whatever it waits for. One that is over is no longer counted.',
    options: { id: 'DOCUMENT' },
    needed: ['id'],
    run: (given) => ask('wake', given),
  },
  {
    name: 'submissions resolve',
    about:
      'Ends the doubt about a document as its owner does by POST /v1/…/resolve: registered with the code that the authority shows, or not_registered.',
    options: { id: 'DOCUMENT', outcome: 'registered|not_registered', code: 'CODE', note: 'TEXT' },
    needed: ['id', 'outcome', 'note'],
    run: (given) => ask('resolve', given),
  },
  {
    name: 'submissions retry',
    about: 'Has documents sent now that wait for their next attempt, such as those of an account whose suspension the authority has ended.',
    options: { authority: 'AUTHORITY', livemode: 'true|false', account: 'ACCOUNT' },
    needed: ['authority'],
    defaults: { livemode: 'true' },
    run: ({ livemode = '', ...given }) => ask('retry', { ...given, livemode: flag('livemode', livemode) }),
  },
  {
    name: 'submissions amend',
    about:
      'Has the records amended that an authority has registered with a warning of this code, as this release makes them: 100 at a time. Without --confirm true it only lists them.',
    options: {
      ...{ authority: 'AUTHORITY', code: 'CODE', livemode: 'true|false' },
      ...{ after: 'DOCUMENT', limit: 'COUNT', confirm: 'true|false' },
    },
    needed: ['authority', 'code'],
    defaults: { livemode: 'true', limit: '100', confirm: 'false' },
    run: ({ livemode = '', limit = '', confirm = '', ...given }) =>
      ask('amend', { ...given, limit: count(limit), livemode: flag('livemode', livemode), confirm: flag('confirm', confirm) }),
  },
  {
    name: 'submissions give-up',
    about:
      'Takes a record for refused that the authority does not take and that holds up its chain, so that what is behind it is sent. The document can be submitted again.',
    options: { id: 'DOCUMENT' },
    needed: ['id'],
    run: (given) => ask('give-up', given),
  },
];

function count(text: string): number {
  if (!/^([1-9]\d?|100)$/.test(text)) throw new Error(`--limit is '${text}'; it must be 1 to 100`);
  return Number(text);
}

function flag(name: string, text: string): boolean {
  if (text !== 'true' && text !== 'false') throw new Error(`--${name} is '${text}'; it must be true or false`);
  return text === 'true';
}
