import { settingTypes, settingVerbs } from '@svc/contracts/audit/setting-changed';
import { systemClock } from '@svc/kernel';
import { fastify } from 'fastify';
import { operatorRoutes, type OperatorRoutesContext } from './operator-routes.ts';

/** What the audit of an account has of each command of an operator that changes something of it. */
const audited: Record<string, string> = {
  'POST /admin/accounts': 'account.created',
  'PATCH /admin/accounts/:id': 'account.updated',
  'POST /admin/accounts/:id/owners': 'member.created',
  'POST /admin/accounts/:id/keys': 'api_key.created',
  'POST /admin/users/reset': 'member.reset',
  'POST /admin/users/release': 'member.deleted',
  'DELETE /admin/dead-letters': 'dead_letters.dropped',
  'POST /admin/series/raise': 'series.updated',
  'POST /admin/chains/restart': 'chain.restarted',
  'POST /admin/chains/open': 'chain.opened',
  'POST /admin/submissions/wake': 'invoice.retried',
  'POST /admin/submissions/resolve': 'invoice.resolved',
  'POST /admin/submissions/give-up': 'invoice.given_up',
  'POST /admin/submissions/amend': 'invoice.amended',
  'POST /admin/submissions/retry': 'submissions.retried',
  'POST /admin/webhooks/resend': 'webhook_endpoint.resent',
};

/** Those that change nothing of an account. */
const others: Record<string, string> = {
  'POST /admin/dead-letters/redrive': 'repeats what handlers have to do anyway',
  'POST /admin/documents/republish': 'repeats what was published',
  'POST /admin/series/note': 'lists series',
  'POST /admin/chains/compare': 'asks the authority what it has',
  'POST /admin/secrets/reencrypt': 'is of the installation, and in its log',
  'POST /admin/secrets/rotate': 'is of the installation',
  'POST /admin/secrets/retire': 'is of the installation',
  'POST /admin/backup': 'is of the installation, and in its log',
};

test('each command of operators has an entry in the audit of the account, or a reason why not', async () => {
  const routes: string[] = [];
  const ops = fastify();
  ops.addHook('onRoute', ({ method, url }) => {
    for (const one of [method].flat()) if (!['GET', 'HEAD'].includes(one)) routes.push(`${one} ${url.replace(/\/$/, '')}`);
  });
  const context = {
    accounts: { clock: systemClock },
    bus: {},
    series: {},
    submissions: {},
    keys: {},
    tokens: { token: 'x', named: [] },
    backUp: {},
    clock: systemClock,
  };
  for (const add of operatorRoutes(context as unknown as OperatorRoutesContext)) await add(ops);
  await ops.ready();
  await ops.close();
  expect([...new Set(routes)].sort()).toEqual([...Object.keys(audited), ...Object.keys(others)].sort());
  const actions = new Set(settingTypes.flatMap((type) => settingVerbs.map((verb) => `${type}.${verb}`)));
  expect(Object.values(audited).filter((action) => !actions.has(action))).toEqual([]);
});
