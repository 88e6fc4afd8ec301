import { canonicalTimestamp } from '@svc/contracts/schema/decorators/times';
import { type Actor, invalid, millisOf, notFound } from '@svc/kernel';
import { validatedBody } from '@svc/service/routing/checks';
import { newRequestId, onlyBearer, type OperatorTokens } from '@svc/service';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { operatorsView } from '../accounts/account-resource.ts';
import { changeAccount } from '../accounts/change-account.ts';
import type { AccountsContext } from '../accounts/context.ts';
import { createKey } from '../accounts/create-key.ts';
import { openAccount } from '../accounts/open-account.ts';
import { keyResource } from '../accounts/read-keys.ts';
import { ChangeAccount, CreateKey, OpenAccount } from './bodies.ts';

/** Whom the audit names: the operator whose token was sent, or any of those who have the token without a name. */
const actorOf = ({ operator }: FastifyRequest): Actor => ({
  type: 'system',
  id: operator === undefined ? 'operator' : `operator ${operator}`,
});

interface WithId {
  Params: { id: string };
}

/** `/admin/*` of the operators' port: accounts, plans, limits, suspension, keys. Requires one of the operators' bearer tokens. */
export const adminRoutes =
  (context: AccountsContext, { token, named }: OperatorTokens) =>
  async (ops: FastifyInstance): Promise<void> => {
    await ops.register(
      async (admin) => {
        admin.addHook('onRequest', async (_request, reply) => void reply.header('x-request-id', newRequestId()));
        admin.addHook('onRequest', onlyBearer('ADMIN_TOKEN', token, named, context.clock));

        admin.post('/accounts', validatedBody(OpenAccount), async (request, reply) => {
          const opened = await openAccount(context, request.body as OpenAccount, actorOf(request));
          return reply.status(201).send({ ...operatorsView(opened.account), test_key: opened.testKey, live_key: opened.liveKey });
        });

        admin.patch<WithId>('/accounts/:id', validatedBody(ChangeAccount), async (request) => {
          const { plan, limits, suspended } = request.body as ChangeAccount;
          return operatorsView(await changeAccount(context, request.params.id, { plan, limits, suspended }, actorOf(request)));
        });

        admin.post<WithId>('/accounts/:id/keys', validatedBody(CreateKey), async (request, reply) => {
          const { name, livemode, permissions, expires_at: expiry } = request.body as CreateKey;
          const account = await context.store.accounts.get(request.params.id);
          if (account === undefined) throw notFound('account');
          const expiresAt = futureOrNever(expiry, context.clock.now());
          const { key, value } = await createKey(
            context,
            { account: account._id, env: livemode ? 'live' : 'test', name, permissions, expiresAt },
            actorOf(request),
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
