import { canonicalTimestamp } from '@svc/contracts/schema/decorators/times';
import { type Actor, invalid, millisOf, notFound } from '@svc/kernel';
import { validatedBody } from '@svc/service/routing/checks';
import { newRequestId, onlyBearer } from '@svc/service';
import type { FastifyInstance } from 'fastify';
import { operatorsView } from '../accounts/account-resource.ts';
import { changeAccount } from '../accounts/change-account.ts';
import type { AccountsContext } from '../accounts/context.ts';
import { createKey } from '../accounts/create-key.ts';
import { openAccount } from '../accounts/open-account.ts';
import { keyResource } from '../accounts/read-keys.ts';
import { ChangeAccount, CreateKey, OpenAccount } from './bodies.ts';

/** The actor of every request with the operators' token. */
const operator: Actor = { type: 'system', id: 'operator' };

interface WithId {
  Params: { id: string };
}

/** `/admin/*` of the operators' port: accounts, plans, limits, suspension, keys. Requires the bearer token. */
export const adminRoutes =
  (context: AccountsContext, token: string) =>
  async (ops: FastifyInstance): Promise<void> => {
    await ops.register(
      async (admin) => {
        admin.addHook('onRequest', async (_request, reply) => void reply.header('x-request-id', newRequestId()));
        admin.addHook('onRequest', onlyBearer('ADMIN_TOKEN', token));

        admin.post('/accounts', validatedBody(OpenAccount), async ({ body }, reply) => {
          const opened = await openAccount(context, body as OpenAccount, operator);
          return reply.status(201).send({ ...operatorsView(opened.account), test_key: opened.testKey, live_key: opened.liveKey });
        });

        admin.patch<WithId>('/accounts/:id', validatedBody(ChangeAccount), async ({ params, body }) => {
          const { plan, limits, suspended } = body as ChangeAccount;
          return operatorsView(await changeAccount(context, params.id, { plan, limits, suspended }, operator));
        });

        admin.post<WithId>('/accounts/:id/keys', validatedBody(CreateKey), async ({ params, body }, reply) => {
          const { name, livemode, permissions, expires_at: expiry } = body as CreateKey;
          const account = await context.store.accounts.get(params.id);
          if (account === undefined) throw notFound('account');
          const expiresAt = futureOrNever(expiry, context.clock.now());
          const { key, value } = await createKey(
            context,
            { account: account._id, env: livemode ? 'live' : 'test', name, permissions, expiresAt },
            operator,
          );
          return reply.status(201).send({ ...keyResource(key), key: value });
        });
      },
      { prefix: '/admin' },
    );
  };

function futureOrNever(expiry: string | null | undefined, now: number): string | null {
  if (expiry === null || expiry === undefined) return null;
  const until = canonicalTimestamp(expiry);
  if (until === undefined || millisOf(until) <= now)
    throw invalid({ expires_at: ['Send a moment in the future, or nothing for a key that does not expire.'] });
  return until;
}
