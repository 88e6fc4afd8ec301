import { Controller, Inject } from '@nestjs/common';
import { type RequestOf, Serves } from '@svc/service';
import { DELIVERY_WORKER, WEBHOOKS } from '../context.ts';
import type { WebhooksContext } from '../delivery/context.ts';
import type { DeliveryWorker } from '../delivery/worker.ts';
import { recover } from './recover.ts';

@Controller()
export class RecoveriesController {
  constructor(
    @Inject(WEBHOOKS) private readonly context: WebhooksContext,
    @Inject(DELIVERY_WORKER) private readonly worker: Pick<DeliveryWorker, 'recover'>,
  ) {}

  @Serves('POST /webhooks/{id}/recover')
  async recover({ identity, params, body, turn }: RequestOf<'POST /webhooks/{id}/recover'>) {
    const recovery = await recover(this.context, identity, params.id, { body, turn });
    this.worker.recover();
    return recovery;
  }
}
