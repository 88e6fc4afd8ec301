import { canonicalTimestamp } from '@svc/contracts/schema/decorators/times';
import { PageQuery } from '@svc/contracts/http/page';
import { queryValidatorOf } from '@svc/contracts/route-query';
import { type Actor, invalid, millisOf, notFound } from '@svc/kernel';
import { badQuery, validatedBody } from '@svc/service/routing/checks';
import { listEnvelope, newRequestId, onlyBearer, PIECE, type OperatorTokens, type PageOptions } from '@svc/service';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Account } from '../accounts/account.ts';
import { listAccounts, operatorsView } from '../accounts/account-resource.ts';
import { changeAccount } from '../accounts/change-account.ts';
import { ensureOwner } from '../members/first-owner.ts';
import type { SessionsContext } from '../sessions/context.ts';
import { createKey } from '../keys/create-key.ts';
import { openAccount } from '../keys/open-account.ts';
import { keyResource, listKeys } from '../keys/read-keys.ts';
import { membersOf } from '../members/list-members.ts';
import { releaseUser } from '../members/release-user.ts';
import { resetUser } from '../members/reset-user.ts';
import { AddOwner, ChangeAccount, CreateKey, OpenAccount, ReleaseUser, ResetUser } from './bodies.ts';

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
  (context: SessionsContext, { token, named }: OperatorTokens) =>
  async (ops: FastifyInstance): Promise<void> => {
    await ops.register(
      async (admin) => {
        admin.addHook('onRequest', async (_request, reply) => void reply.header('x-request-id', newRequestId()));
        admin.addHook('onRequest', onlyBearer('ADMIN_TOKEN', token, named, context.clock));

        admin.get('/accounts', async (request) => {
          const { page, per_page } = pageOf(request);
          return listed(request, await listAccounts(context.store, page, per_page));
        });

        admin.get<WithId>('/accounts/:id', async (request) => operatorsView(await accountOf(context, request.params.id)));

        admin.get<WithId>('/accounts/:id/keys', async (request) => {
          const { page, per_page } = pageOf(request);
          const { _id: account } = await accountOf(context, request.params.id);
          return listed(request, await listKeys(context.store, { account }, page, per_page));
        });

        admin.get<WithId>('/accounts/:id/members', async (request) => {
          const { after = '' } = request.query as { after?: unknown };
          if (typeof after !== 'string') throw invalid({ after: ['Send one id.'] });
          const { _id: account } = await accountOf(context, request.params.id);
          return { data: await membersOf(context, account, after) };
        });

        admin.post('/accounts', validatedBody(OpenAccount), async (request, reply) => {
          const body = request.body as OpenAccount;
          const opened = await openAccount(context, body, actorOf(request));
          const { _id: account } = opened.account;
          const link = body.email ? await ensureOwner(context, { account, email: body.email }, actorOf(request)) : null;
          return reply
            .status(201)
            .send({ ...operatorsView(opened.account), test_key: opened.testKey, live_key: opened.liveKey, sign_in_url: link });
        });

        admin.patch<WithId>('/accounts/:id', validatedBody(ChangeAccount), async (request) => {
          const { plan, limits, suspended } = request.body as ChangeAccount;
          return operatorsView(await changeAccount(context, request.params.id, { plan, limits, suspended }, { actor: actorOf(request) }));
        });

        admin.post<WithId>('/accounts/:id/owners', validatedBody(AddOwner), async (request, reply) => {
          const { _id: account } = await accountOf(context, request.params.id);
          const { email } = request.body as AddOwner;
          return reply.status(201).send({ sign_in_url: await ensureOwner(context, { account, email }, actorOf(request)) });
        });

        admin.post('/users/reset', validatedBody(ResetUser), async (request) => {
          const { email, totp = false } = request.body as ResetUser;
          return { sign_in_url: await resetUser(context, { email, totp }, actorOf(request)) };
        });

        admin.post('/users/release', validatedBody(ReleaseUser), async (request) => {
          const { email } = request.body as ReleaseUser;
          return { memberships: await releaseUser(context, email, actorOf(request)) };
        });

        admin.post<WithId>('/accounts/:id/keys', validatedBody(CreateKey), async (request, reply) => {
          const { name, livemode, permissions, expires_at: expiry } = request.body as CreateKey;
          const account = await accountOf(context, request.params.id);
          const expiresAt = futureOrNever(expiry, context.clock.now());
          const { key, value } = await createKey(
            context,
            { account: account._id, env: livemode ? 'live' : 'test', name, permissions, expiresAt },
            { actor: actorOf(request) },
          );
          return reply.status(201).send({ ...keyResource(key), key: value });
        });
      },
      { prefix: '/admin' },
    );
  };

/** Throws not_found. */
async function accountOf({ store }: SessionsContext, id: string): Promise<Account> {
  const account = await store.accounts.get(id);
  if (account === undefined) throw notFound('account');
  return account;
}

const pageQuery = queryValidatorOf(PageQuery);

/** Throws invalid_request naming the parameters that are wrong or unknown. */
function pageOf({ query }: FastifyRequest): PageQuery {
  const result = pageQuery(query as Record<string, unknown>);
  if ('problems' in result) throw badQuery(result.problems);
  return result.value as unknown as PageQuery;
}

/** Rows of a page: those that were read with it, and the ids of the others. */
type Found<Row, Item> = Pick<PageOptions<Row, Item>, 'page' | 'read' | 'total'> & { toResource(row: Row): Item };

/** At most 100 accounts or keys, of some KiB each. Links are of the port that was asked. */
async function listed<Row, Item>(request: FastifyRequest, { total, page: { docs, left }, read, toResource }: Found<Row, Item>) {
  const rows = [...docs, ...(await Array.fromAsync(read(left, PIECE))).flat()];
  const publicUrl = `${request.protocol}://${request.host}`;
  return listEnvelope({ publicUrl, request: { url: request.url, query: pageOf(request) }, total, data: rows.map(toResource) });
}

function futureOrNever(expiry: string | null | undefined, now: number): string | null {
  if (expiry === null || expiry === undefined) return null;
  const until = canonicalTimestamp(expiry);
  if (until === undefined || millisOf(until) <= now)
    throw invalid({ expires_at: ['Send a moment in the future, or nothing for a key that does not expire.'] });
  return until;
}
