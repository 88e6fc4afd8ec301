import { type Collection } from '@svc/document-store';
import { listEnvelope } from '@svc/service';
import type { FastifyRequest } from 'fastify';
import type { ApiKey } from '../keys/api-key.ts';
import { changeMember, readMember, removeMember, resetMember } from '../members/change-member.ts';
import { invite } from '../members/invite.ts';
import { type Member, memberResource } from '../members/member.ts';
import type { User } from '../members/user.ts';
import { pageOf } from '../page-of.ts';
import { usersOf } from '../members/names.ts';
import type { ConsoleContext, ConsoleHandlers } from './handlers.ts';
import { byOf } from './session-of.ts';

const MOST_KEYS = 100;

export function memberHandlers(context: ConsoleContext) {
  const { people, store } = context;
  const userOfMember = async ({ user }: Member): Promise<User | undefined> => (user === null ? undefined : people.users.get(user));

  return {
    async 'GET /console/members'(request) {
      const members = { account: request.identity.account, deleted_at: null };
      const { found, total } = await pageOf(people.members, members, request.query, request.turn);
      const users = await usersOf({ people }, found);
      const data = found.map((member) => memberResource(member, users.get(member.user ?? '')));
      return listEnvelope({ publicUrl: context.publicUrl, request, total, data });
    },

    async 'POST /console/members'(request) {
      const { email, name, role } = request.body;
      const { account, commandId } = request.identity;
      const { member, url } = await invite(context, { account, email, name, role }, byOf(request), commandId);
      return { ...memberResource(member, undefined), invitation_url: url };
    },

    async 'PATCH /console/members/{id}'(request) {
      const { role, disabled, operator } = request.body;
      const member = await changeMember(context, ofRequest(request), { role, disabled, operator }, byOf(request));
      return memberResource(member, await userOfMember(member));
    },

    async 'DELETE /console/members/{id}'(request) {
      const before = await readMember(context, ofRequest(request));
      const member = await removeMember(context, ofRequest(request), byOf(request));
      return { ...memberResource(member, await userOfMember(before)), keys: await liveKeysOf(store.keys, member) };
    },

    async 'POST /console/members/{id}/reset'(request) {
      return { reset_url: await resetMember(context, ofRequest(request), byOf(request)) };
    },
  } satisfies Partial<ConsoleHandlers>;
}

const ofRequest = ({ identity, params, ifMatch }: Pick<FastifyRequest, 'identity' | 'ifMatch'> & { params: { id: string } }) => ({
  ...{ account: identity.account, id: params.id, ifMatch },
});

/** They go on without their maker. */
async function liveKeysOf(keys: Collection<ApiKey>, { account, _id }: Member): Promise<{ id: string; name: string }[]> {
  const made: { id: string; name: string }[] = [];
  for await (const key of keys.find({ account, env: 'live', deleted_at: null }, { sort: { _id: -1 }, limit: 1_000 }))
    if (key.created_by?.id === _id && made.length < MOST_KEYS) made.push({ id: key._id, name: key.name });
  return made;
}
