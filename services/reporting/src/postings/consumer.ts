import { Controller, Inject } from '@nestjs/common';
import { Payload } from '@nestjs/microservices';
import { topics, type PublicEvent } from '@svc/contracts/events/envelope';
import { Consumes } from '@svc/event-bus';
import { REPORTING, type ReportingContext } from './context.ts';
import { epochsOf } from './epoch.ts';
import type { DocumentEvent } from './figures-of.ts';
import { zonesOf } from './issuer-zone.ts';
import { isOfNumbered } from './posting-of.ts';
import { GROUP } from './posting.ts';
import { isRaised, raisedRow } from './raised-numbers.ts';
import { recordEvents } from './record.ts';

/** Types of the events that carry a whole document in the shape that `stepOf` reads. */
const KNOWN = /^invoicing\.(invoice|receipt)-[a-z]+\.v1$/;

/** Turns public events into postings, and keeps which numbers are skipped, and the time zones of issuers. */
@Controller()
export class PostingsConsumer {
  constructor(@Inject(REPORTING) private readonly context: ReportingContext) {}

  /** `history` has what operators republish, and until 0.3 the events of release 0.1.0, which published them without an entry. */
  @Consumes({ group: GROUP, topic: topics.invoice }, { group: GROUP, topic: topics.receipt }, { group: GROUP, topic: topics.history })
  async documents(@Payload() events: PublicEvent[]): Promise<void> {
    const known = events.filter(({ type, subject }) => {
      if (KNOWN.test(type)) return true;
      this.context.logger.warn({ type, subject }, 'an event of a type that this release does not know was skipped');
      return false;
    }) as DocumentEvent[];
    await recordEvents(this.context, known.filter(isOfNumbered));
  }

  @Consumes({ group: GROUP, topic: topics.setting })
  async settings(@Payload() events: PublicEvent[]): Promise<void> {
    const zones = events.flatMap(zonesOf);
    if (zones.length > 0) await this.context.zones.write(zones.map((insert) => ({ insert })));
  }

  /** Of `published` the bus keeps the marks, which are no events. */
  @Consumes({ group: GROUP, topic: topics.series }, { group: GROUP, topic: topics.published })
  async series(@Payload() events: PublicEvent[]): Promise<void> {
    const raised = events.filter(isRaised);
    if (raised.length === 0) return;
    const epochOf = await epochsOf(this.context.epochs, raised);
    await this.context.raised.write(raised.map((event) => ({ insert: raisedRow(event, epochOf(event)) })));
  }
}
