import { problemOfGrants } from '@svc/contracts/console/requests';
import { roleTable } from '@svc/contracts/console/roles';
import type { ConsoleKey } from '@svc/contracts/console/resources';
import { canonicalTimestamp } from '@svc/contracts/schema/decorators/times';
import { type Env, invalid, iso, millisOf } from '@svc/kernel';
import { auditedActor, listEnvelope } from '@svc/service';
import type { FastifyRequest } from 'fastify';
import { type ApiKey, type KeyUse, shownVersion } from '../keys/api-key.ts';
import { checkRanges } from '../keys/address-ranges.ts';
import { allowPermissions, type By, changeKey, missing, own, revokeKey } from '../keys/change-key.ts';
import { createKey } from '../keys/create-key.ts';
import { previousExpiry, rotateKey } from '../keys/rotate-key.ts';
import { pageOf } from '../page-of.ts';
import { namesOfMembers } from '../members/names.ts';
import type { ConsoleContext, ConsoleHandlers } from './handlers.ts';
import { requireStepUp, sessionOf } from './session-of.ts';

const DEFAULT_GRACE_S = 86_400;

export function keyHandlers(context: ConsoleContext) {
  const { store, people, clock } = context;

  /** Keys of one account, with the names of their makers. */
  const shown = async (keys: readonly ApiKey[]): Promise<ConsoleKey[]> => {
    const ids = keys.map(({ _id }) => _id);
    const uses = new Map(
      (await Array.fromAsync(store.uses.find({ _id: { $in: ids } }, { limit: ids.length + 1 }))).map((use) => [use._id, use]),
    );
    const makers = [...new Set(keys.flatMap(({ created_by: by }) => (by?.type === 'member' ? by.id : [])))];
    const names = await namesOfMembers({ people }, keys[0]?.account ?? '', makers);
    return keys.map((key) => keyResource(key, uses.get(key._id), names));
  };
  const one = async (key: ApiKey): Promise<ConsoleKey> => (await shown([key]))[0] as ConsoleKey;

  const stored = async (request: FastifyRequest<{ Params: { id: string } }>): Promise<ApiKey> => {
    const key = await store.keys.get(request.params.id);
    if (!key) throw missing();
    own(key, { account: request.identity.account, id: key._id });
    return key;
  };
  /** Of a change to a key. Throws step_up_required for a live one. */
  const changing = async (request: FastifyRequest<{ Params: { id: string } }>): Promise<{ key: ApiKey; by: By }> => {
    const key = await stored(request);
    if (key.env === 'live') await requireStepUp(context, request);
    const { actor, requestId } = request.identity;
    return {
      key,
      by: {
        actor,
        requestId,
        permissions: permissionsIn(request),
        personalData: personalDataIn(request, key.env),
        ifMatch: request.ifMatch,
      },
    };
  };
  const ofAccount = (key: ApiKey) => ({ account: key.account, id: key._id });

  return {
    async 'GET /console/api-keys'(request) {
      const keys = { account: request.identity.account, deleted_at: null };
      const { found, total } = await pageOf(store.keys, keys, request.query, request.turn);
      return listEnvelope({ publicUrl: context.publicUrl, request, total, data: await shown(found) });
    },

    async 'POST /console/api-keys'(request) {
      const { name, livemode, permissions, expires_at: expiry = null, allowed_ips: allowedIps = null } = request.body;
      const env: Env = livemode ? 'live' : 'test';
      checkGrants(permissions);
      allowPermissions(permissions, permissionsIn(request)(env));
      checkRanges(allowedIps);
      const expiresAt = expiry === null ? null : (canonicalTimestamp(expiry) ?? null);
      if (expiresAt !== null && millisOf(expiresAt) <= clock.now())
        throw invalid({ expires_at: ['Send a time that is to come, or null.'] });
      if (livemode) await requireStepUp(context, request);
      const { account, actor, requestId, commandId: command } = request.identity;
      const input = { account, env, name, permissions, expiresAt, allowedIps, personalData: personalDataIn(request, env) };
      const { key, value } = await createKey(context, input, { actor, requestId, command });
      return { ...(await one(key)), key: value };
    },

    'GET /console/api-keys/{id}': async (request) => one(await stored(request)),

    async 'PATCH /console/api-keys/{id}'(request) {
      const { key, by } = await changing(request);
      const { name, permissions, expires_at, allowed_ips } = request.body;
      checkGrants(permissions);
      checkRanges(allowed_ips);
      return one(await changeKey(context, ofAccount(key), { name, permissions, expires_at, allowed_ips }, by));
    },

    async 'DELETE /console/api-keys/{id}'(request) {
      const { key, by } = await changing(request);
      return one(await revokeKey(context, ofAccount(key), by));
    },

    async 'POST /console/api-keys/{id}/rotate'(request) {
      const { key: before, by } = await changing(request);
      const { grace_period_seconds: graceSeconds = DEFAULT_GRACE_S } = request.body;
      const judge = (key: ApiKey): void => allowPermissions(key.permissions, permissionsIn(request)(key.env));
      const rotating = {
        id: before._id,
        credentialHash: null,
        command: request.identity.commandId,
        graceSeconds,
        actor: by.actor,
        requestId: by.requestId,
      };
      const { key, value } = await rotateKey(context, { ...rotating, by: { judge, personalData: by.personalData } });
      return { ...(await one(key)), key: value };
    },
  } satisfies Partial<ConsoleHandlers>;
}

function checkGrants(permissions: readonly string[] | undefined): void {
  const problem = problemOfGrants(permissions);
  if (problem) throw invalid({ permissions: [problem] });
}

/** What a key that the member makes or changes may have at most: `*` where the role has all. */
const permissionsIn =
  (request: FastifyRequest) =>
  (env: Env): readonly string[] =>
    roleTable[sessionOf(request).member.role][env];

const personalDataIn = (request: FastifyRequest, env: Env): false | undefined =>
  env === 'live' && !roleTable[sessionOf(request).member.role].livePersonalData ? false : undefined;

function keyResource(key: ApiKey, use: KeyUse | undefined, names: ReadonlyMap<string, string | null>): ConsoleKey {
  const { created_by: by } = key;
  return {
    ...{ id: key._id, object: 'api_key', livemode: key.env === 'live', name: key.name, start: key.start, permissions: key.permissions },
    ...{ allowed_ips: key.allowed_ips ?? null, personal_data: key.personal_data !== false },
    created_by: by ? { ...auditedActor(by), name: names.get(by.id) ?? null } : null,
    ...{ created_at: key.created_at, updated_at: key.updated_at, version: shownVersion(key), expires_at: key.expires_at },
    ...{
      last_used_at: use ? iso(use.version * 60_000) : null,
      last_used_ip: use?.ip ?? null,
      previous_expires_at: previousExpiry(key),
      deleted_at: key.deleted_at,
    },
  };
}
