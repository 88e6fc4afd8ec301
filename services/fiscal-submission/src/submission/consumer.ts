import { Controller, Inject } from '@nestjs/common';
import { Payload } from '@nestjs/microservices';
import { topics, type PublicEvent } from '@svc/contracts/events/envelope';
import {
  CancellationRequestedV1,
  RegistrationRequestedV1,
  type CancellationRequested,
  type RegistrationRequested,
} from '@svc/contracts/registration/requested';
import { Consumes } from '@svc/event-bus';
import { allDone } from '@svc/kernel';
import { CONTEXT, type Context } from './context.ts';
import { openSubmission, requestCancellation } from './open.ts';
import { WORKER, type Worker } from './worker.ts';

/** Consumes requests to register documents and to cancel registrations. */
@Controller()
export class RegistrationConsumer {
  constructor(
    @Inject(CONTEXT) private readonly context: Context,
    @Inject(WORKER) private readonly worker: Worker,
  ) {}

  /** Handles the events of one document in order, and documents concurrently. */
  @Consumes({ group: 'fiscal-submission', topic: topics.registration })
  async on(@Payload() events: PublicEvent[]): Promise<void> {
    const byDocument = Map.groupBy(events, ({ subject }) => subject);
    await allDone(Array.from(byDocument.values(), (ofOne) => this.takeAll(ofOne)));
  }

  private async takeAll(events: PublicEvent[]): Promise<void> {
    for (const event of events) {
      const row = await this.takeIn(event);
      if (row) this.worker.take([row]);
    }
  }

  private takeIn(event: PublicEvent) {
    switch (event.type) {
      case RegistrationRequestedV1.type:
        return openSubmission(this.context, event as PublicEvent<RegistrationRequested>);
      case CancellationRequestedV1.type:
        return requestCancellation(this.context, event as PublicEvent<CancellationRequested>);
      default:
        return undefined;
    }
  }
}
