import { Controller, Inject } from '@nestjs/common';
import { listEnvelope, type RequestOf, Serves } from '@svc/service';
import type { Gateway } from '../open-gateway.ts';
import { GATEWAY } from '../tokens.ts';
import { pageOfRequests, requestsFilter } from './read-requests.ts';
import { requestResource } from './row.ts';

@Controller()
export class RequestsController {
  constructor(@Inject(GATEWAY) private readonly gateway: Gateway) {}

  @Serves('GET /requests')
  async list(request: RequestOf<'GET /requests'>) {
    const { page, per_page: size, ...query } = request.query;
    const { env, account } = request.identity;
    const { found, total } = await pageOfRequests(this.gateway.refused, requestsFilter(`${env}.${account}`, query), page, size);
    return listEnvelope({ publicUrl: this.gateway.consoleOrigin, request, total, data: found.map(requestResource) });
  }
}
