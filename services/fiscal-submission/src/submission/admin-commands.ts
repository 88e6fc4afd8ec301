import { askOperatorsPort } from '@svc/service/admin/operators-port';
import type { AdminCommand } from '@svc/service/admin/run-admin';

/** `svc admin submissions …`, by `/admin/submissions` of the operators' port. */
export const submissionCommands: AdminCommand[] = [
  {
    name: 'submissions retry',
    about: 'Has documents sent now that wait for their next attempt, such as those of an account whose suspension the authority has ended.',
    options: { authority: 'ID', live: 'true|false', account: 'ACCOUNT' },
    run: ({ live = 'true', ...given }) =>
      askOperatorsPort('OPS_TOKEN', 'POST', '/submissions/retry', { ...given, livemode: flag('live', live) }),
  },
  {
    name: 'submissions amend',
    about:
      'Has the records amended that an authority has registered with a warning of this code, as this release makes them: 100 at a time. Without --confirm true it only lists them.',
    options: { authority: 'ID', code: 'CODE', live: 'true|false', after: 'DOCUMENT', limit: 'COUNT', confirm: 'true|false' },
    run: ({ live = 'true', limit = '100', confirm = 'false', ...given }) =>
      askOperatorsPort('OPS_TOKEN', 'POST', '/submissions/amend', {
        ...given,
        ...{ limit: count(limit), livemode: flag('live', live), confirm: flag('confirm', confirm) },
      }),
  },
  {
    name: 'submissions give-up',
    about:
      'Takes a record for refused that the authority does not take and that holds up its chain, so that what is behind it is sent. The document can be submitted again.',
    options: { document: 'ID' },
    run: (given) => askOperatorsPort('OPS_TOKEN', 'POST', '/submissions/give-up', given),
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
