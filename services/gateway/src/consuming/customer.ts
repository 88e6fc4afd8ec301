import { Controller, Inject } from '@nestjs/common';
import { Payload } from '@nestjs/microservices';
import { type PublicEvent, topics } from '@svc/contracts/events/envelope';
import { Consumes } from '@svc/event-bus';
import { eraseAnswers } from '../idempotency/erasing.ts';
import type { Gateway } from '../open-gateway.ts';
import { GATEWAY } from '../tokens.ts';

/** Deletes kept answers with the personal data of an erased customer. */
@Controller()
export class ErasedCustomers {
  constructor(@Inject(GATEWAY) private readonly gateway: Gateway) {}

  @Consumes({ group: 'gateway', topic: topics.customer })
  async on(@Payload() events: PublicEvent[]): Promise<void> {
    for (const { type, env, account, subject } of events) {
      if (type !== 'invoicing.customer-erased.v1') continue;
      await eraseAnswers(this.gateway.idempotencyRows, { scope: `${env}.${account}`, customer: subject });
    }
  }
}
