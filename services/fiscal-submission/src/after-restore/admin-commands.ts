import { askOperatorsPort } from '@svc/service/admin/operators-port';
import type { AdminCommand } from '@svc/service/admin/run-admin';

const decide = (way: 'restart' | 'open', about: string): AdminCommand => ({
  name: `chains ${way}`,
  about: `${about} Without --confirm true it only says what it would do.`,
  options: { chain: 'CHAIN', confirm: 'true|false' },
  needed: ['chain'],
  defaults: { confirm: 'false' },
  run: ({ confirm = '', ...given }) =>
    askOperatorsPort('OPS_TOKEN', 'POST', `/chains/${way}`, { ...given, confirm: flag('confirm', confirm) }),
});

/** `svc admin chains …`: chains of records after a restore, by `/admin/chains` of the operators' port. */
export const chainCommands: AdminCommand[] = [
  {
    name: 'chains list',
    about:
      'Lists chains after a restore: those that take no records yet, or with --open true the others. `awaited`: a document has asked for it. 100 at a time.',
    options: { open: 'true|false', after: 'CHAIN' },
    defaults: { open: 'false' },
    run: ({ open = '', ...given }) =>
      askOperatorsPort('OPS_TOKEN', 'GET', `/chains?${new URLSearchParams({ ...given, open: String(flag('open', open)) })}`),
  },
  {
    name: 'chains compare',
    about: 'Asks the authority what it has of the issuer of a chain in a month, and lists what this system has lost.',
    options: { chain: 'CHAIN', month: 'YYYY-MM' },
    needed: ['chain', 'month'],
    run: (given) => askOperatorsPort('OPS_TOKEN', 'POST', '/chains/compare', given),
  },
  decide('restart', 'Begins a chain anew, with a new installation, where the authority has records that this system has lost.'),
  decide('open', 'Lets a chain go on behind its last record, where the authority has no other ones.'),
];

function flag(name: string, text: string): boolean {
  if (text !== 'true' && text !== 'false') throw new Error(`--${name} is '${text}'; it must be true or false`);
  return text === 'true';
}
