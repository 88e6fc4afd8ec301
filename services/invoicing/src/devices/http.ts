import { Controller, Inject } from '@nestjs/common';
import type { DeviceResource } from '@svc/contracts/issuer/device';
import { jsonBytes } from '@svc/kernel';
import { type Identity, type RequestOf, Serves, waitSeconds } from '@svc/service';
import type { FastifyReply } from 'fastify';
import { CONTEXT } from '../context.ts';
import type { DocumentContext } from '../document/context.ts';
import type { Seen } from '../document/wait.ts';
import { namedTill } from '../issuer/domain/register-device.ts';
import { ISSUERS } from '../issuer/http.ts';
import { issuerStream, type Issuers } from '../issuer/issuers.ts';
import { deviceResource, registerDevice } from '../issuer/register-device.ts';

@Controller()
export class DevicesController {
  constructor(
    @Inject(CONTEXT) private readonly context: Pick<DocumentContext, 'clock' | 'outcomeWaits'>,
    @Inject(ISSUERS) private readonly issuers: Issuers,
  ) {}

  /** `Prefer: wait` delays the response until the authority has answered; the till as it is then. At once where no more may wait. */
  @Serves('POST /issuer/devices/{code}/register')
  async registerDevice(request: RequestOf<'POST /issuer/devices/{code}/register'>, reply: FastifyReply): Promise<DeviceResource> {
    const { identity, params, body } = request;
    const { account, env } = identity;
    const name = { code: params.code, unit: body.unit };
    const { context, issuers } = this;
    const first = await registerDevice({ issuers, clock: context.clock }, identity, name);
    const seconds = waitSeconds(request);
    if (seconds === 0) return first;
    request.releasePermit();
    const waited = await context.outcomeWaits.wait<DeviceResource>({
      ...{ stream: issuerStream(account, env), account, seconds, first, response: reply.raw },
      isSettled: ({ state }) => state !== 'registering',
      look: () => this.seen(identity, name).finally(() => request.releasePermit()),
    });
    if (waited === undefined) return first;
    reply.header('preference-applied', `wait=${seconds}`);
    return waited;
  }

  private async seen({ account, env }: Identity, name: { code: string; unit?: string | undefined }): Promise<Seen<DeviceResource>> {
    const { state, version } = await this.issuers.current(account, env);
    return { resource: deviceResource(namedTill(name, state), state), revision: BigInt(version - 1), bytes: jsonBytes(state) };
  }
}
