import { askOperatorsPort, printOperatorsPort } from '@svc/service/admin/operators-port';
import type { AdminCommand } from '@svc/service/admin/run-admin';

/** `svc admin export numbers`, and `svc admin series …`: the series after a restore, by `/admin/series` of the operators' port. */
export const seriesCommands: AdminCommand[] = [
  {
    name: 'series list',
    about: 'Lists series after a restore: those that take no numbers yet, or with --open true the others. 100 at a time.',
    options: { open: 'true|false', after: 'SERIES' },
    defaults: { open: 'false' },
    run: ({ open, ...given }) =>
      askOperatorsPort('OPS_TOKEN', 'GET', `/series?${new URLSearchParams({ ...given, open: String(flag('open', open)) })}`),
  },
  {
    name: 'series note',
    about: 'Adds the series of an account’s settings to that list, before a caller asks for one.',
    options: { account: 'ACCOUNT', livemode: 'true|false' },
    needed: ['account', 'livemode'],
    run: ({ livemode, ...given }) =>
      askOperatorsPort('OPS_TOKEN', 'POST', '/series/note', { ...given, livemode: flag('livemode', livemode) }),
  },
  {
    name: 'series raise',
    about:
      'Opens a series behind the last count that the authority knows, and the issue date of that document. Without --confirm true it only says what it would do.',
    options: { series: 'SERIES', last: 'NUMBER', 'issue-date': 'YYYY-MM-DD', confirm: 'true|false' },
    needed: ['series', 'last'],
    defaults: { confirm: 'false' },
    run: ({ last = '', 'issue-date': issueDate, confirm, ...given }) =>
      askOperatorsPort('OPS_TOKEN', 'POST', '/series/raise', {
        ...given,
        ...{ last: count('last', last), issue_date: issueDate, confirm: flag('confirm', confirm) },
      }),
  },
  {
    name: 'export numbers',
    about: 'Prints the series of an account as JSON lines, by which `npm run verify -- numbering` checks a certificate of numbers.',
    options: { account: 'ACCOUNT', livemode: 'true|false' },
    needed: ['account', 'livemode'],
    run: async ({ account = '', livemode }) => {
      const query = new URLSearchParams({ account, livemode: String(flag('livemode', livemode)) });
      await printOperatorsPort('OPS_TOKEN', `/series/numbers?${query}`);
    },
  },
];

/** An empty text, as of an unset variable of a shell, is not 0. */
function count(name: string, text: string): number {
  if (!/^\d{1,12}$/.test(text)) throw new Error(`--${name} is '${text}'; it must be a number`);
  return Number(text);
}

function flag(name: string, text: string | undefined): boolean {
  if (text !== 'true' && text !== 'false') throw new Error(`--${name} is '${text ?? ''}'; it must be true or false`);
  return text === 'true';
}
