import { Controller, Inject } from '@nestjs/common';
import { checkCalculated } from '@svc/contracts/schema/calculated';
import { listPage, type RequestOf, Serves } from '@svc/service';
import type { FastifyRequest } from 'fastify';
import type { KeysContext } from './context.ts';
import { PUBLIC_URL, ACCOUNTS } from '../tokens.ts';
import { type By, changeKey, type KeyOf, revokeKey } from './change-key.ts';
import { keyResource, listKeys, readKey } from './read-keys.ts';
import { rotateKey } from './rotate-key.ts';

const DEFAULT_GRACE_S = 86_400;

@Controller()
export class KeyController {
  constructor(
    @Inject(ACCOUNTS) private readonly context: KeysContext,
    @Inject(PUBLIC_URL) private readonly publicUrl: string,
  ) {}

  @Serves('GET /api-keys')
  async list(request: RequestOf<'GET /api-keys'>) {
    const { page, per_page } = request.query;
    const found = await listKeys(this.context.store, request.identity, page, per_page);
    return listPage({ publicUrl: this.publicUrl, request, turn: request.turn, ...found });
  }

  @Serves('GET /api-keys/{id}')
  read(request: RequestOf<'GET /api-keys/{id}'>) {
    return readKey(this.context.store, keyOf(request));
  }

  @Serves('PATCH /api-keys/{id}')
  async change(request: RequestOf<'PATCH /api-keys/{id}'>) {
    const { name, permissions, expires_at } = request.body;
    await changeKey(this.context, keyOf(request), { name, permissions, expires_at }, by(request));
    return readKey(this.context.store, keyOf(request));
  }

  @Serves('DELETE /api-keys/{id}')
  async revoke(request: RequestOf<'DELETE /api-keys/{id}'>) {
    return keyResource(await revokeKey(this.context, keyOf(request), by(request)));
  }

  @Serves('POST /api-keys/rotate')
  async rotate({ identity, requestContext, body }: RequestOf<'POST /api-keys/rotate'>) {
    const { grace_period_seconds: graceSeconds = DEFAULT_GRACE_S } = body;
    const { actor, commandId, requestId } = identity;
    const credentialHash = requestContext?.principal.credentialHash ?? '';
    const { key, value } = await rotateKey(this.context, {
      id: actor.id,
      credentialHash,
      command: commandId,
      graceSeconds,
      actor,
      requestId,
    });
    return { ...keyResource(key), key: value };
  }
}

const keyOf = ({ identity, params }: FastifyRequest<{ Params: { id: string } }>): KeyOf => ({
  account: identity.account,
  env: identity.env,
  id: params.id,
});

const by = ({ identity, ifMatch, calculated }: FastifyRequest): By => ({
  ...{
    actor: identity.actor,
    requestId: identity.requestId,
    permissions: identity.permissions,
    personalData: identity.personalData,
    ifMatch,
  },
  approve: (now, next) => checkCalculated(calculated, keyResource(now), () => keyResource(next)),
});
