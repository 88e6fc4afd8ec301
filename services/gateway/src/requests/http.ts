import { Controller, Inject } from '@nestjs/common';
import { listEnvelope, type RequestOf, Serves } from '@svc/service';
import type { Gateway } from '../open-gateway.ts';
import { GATEWAY } from '../tokens.ts';
import { pageOf } from '../page-of.ts';
import { requestsFilter } from './read-requests.ts';
import { requestResource } from './row.ts';

@Controller()
export class RequestsController {
  constructor(@Inject(GATEWAY) private readonly gateway: Gateway) {}

  @Serves('GET /requests')
  async list(request: RequestOf<'GET /requests'>) {
    const { env, account } = request.identity;
    const { found, total } = await pageOf(
      this.gateway.refused,
      requestsFilter(`${env}.${account}`, request.query),
      request.query,
      request.turn,
    );
    return listEnvelope({ publicUrl: this.gateway.consoleOrigin, request, total, data: found.map(requestResource) });
  }
}
