import { Controller, Inject } from '@nestjs/common';
import { Payload } from '@nestjs/microservices';
import { topics, type PublicEvent } from '@svc/contracts/events/envelope';
import type { InvoiceResource } from '@svc/contracts/invoice/resource';
import type { ReceiptResource } from '@svc/contracts/receipt/resource';
import { Consumes } from '@svc/event-bus';
import { REPORTING, type ReportingContext } from './context.ts';
import { factOf } from './fact-of.ts';
import { GROUP, type Fact } from './fact.ts';

/** Types of the events that carry a whole document in the shape that `factOf` reads. */
const KNOWN = /^invoicing\.(invoice|receipt)-[a-z]+\.v1$/;

/** Turns public events into facts. A fact is written only over a lower sequence, so repeated and older events change nothing. */
@Controller()
export class FactsConsumer {
  constructor(@Inject(REPORTING) private readonly context: ReportingContext) {}

  @Consumes({ group: GROUP, topic: topics.invoice })
  invoices(@Payload() events: PublicEvent<InvoiceResource>[]): Promise<void> {
    return this.keep(events);
  }

  @Consumes({ group: GROUP, topic: topics.receipt })
  receipts(@Payload() events: PublicEvent<ReceiptResource>[]): Promise<void> {
    return this.keep(events);
  }

  private async keep(events: PublicEvent<InvoiceResource | ReceiptResource>[]): Promise<void> {
    const { facts, logger } = this.context;
    const latest = new Map<string, Fact>();
    for (const event of events) {
      if (!KNOWN.test(event.type)) {
        logger.warn({ type: event.type, subject: event.subject }, 'an event of a type that this release does not know was skipped');
        continue;
      }
      const fact = factOf(event);
      if (fact && fact.version > (latest.get(fact._id)?.version ?? 0)) latest.set(fact._id, fact);
    }
    if (latest.size > 0) await facts.write([...latest.values()].map((put) => ({ put })));
  }
}
