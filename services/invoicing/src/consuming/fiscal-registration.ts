import { Controller, Inject } from '@nestjs/common';
import { Payload } from '@nestjs/microservices';
import { topics, type PublicEvent } from '@svc/contracts/events/envelope';
import { Consumes } from '@svc/event-bus';
import { allDone } from '@svc/kernel';
import { CONTEXT, type InvoicingContext } from '../context.ts';
import { applyOutcome as applyToInvoice } from '../document/outcome.ts';
import { applyOutcome as applyToReceipt } from '../receipt/fiscal-outcome.ts';

type Outcome = PublicEvent<{ kind: 'invoice' | 'receipt' }>;

/** What became of documents at the tax authority. Told twice it changes nothing: the document's state decides. */
@Controller()
export class FiscalRegistrationConsumer {
  constructor(@Inject(CONTEXT) private readonly context: InvoicingContext) {}

  /** In order for each document; documents beside one another. */
  @Consumes({ group: 'invoicing', topic: topics.fiscalRegistration })
  async on(@Payload() events: Outcome[]): Promise<void> {
    const byDocument = Map.groupBy(events, ({ subject }) => subject);
    await allDone(Array.from(byDocument.values(), (ofOne) => this.applyAll(ofOne)));
  }

  private async applyAll(events: Outcome[]): Promise<void> {
    for (const event of events) await (event.data.kind === 'receipt' ? applyToReceipt : applyToInvoice)(this.context, event as never);
  }
}
