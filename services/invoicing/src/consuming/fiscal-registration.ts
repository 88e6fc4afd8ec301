import { Controller, Inject } from '@nestjs/common';
import { Payload } from '@nestjs/microservices';
import { topics, type PublicEvent } from '@svc/contracts/events/envelope';
import {
  CertificateExpiringV1,
  DocumentDeadlineNearV1,
  type DeviceRefused,
  DeviceRefusedV1,
  type DeviceRegistered,
  DeviceRegisteredV1,
} from '@svc/contracts/registration/outcome';
import { Consumes } from '@svc/event-bus';
import { allDone, UnknownEvent } from '@svc/kernel';
import { CONTEXT } from '../context.ts';
import type { DocumentContext } from '../document/context.ts';
import { documentTypes } from '../document-types.ts';
import { ISSUERS } from '../issuer/http.ts';
import type { Issuers } from '../issuer/issuers.ts';
import { applyDeviceOutcome } from '../issuer/register-device.ts';

type Outcome = PublicEvent<{ kind: string }>;

/** The authority's outcomes. A repeated one changes nothing: the state of the document, or of the issuer, decides. */
@Controller()
export class FiscalRegistrationConsumer {
  constructor(
    @Inject(CONTEXT) private readonly context: DocumentContext,
    @Inject(ISSUERS) private readonly issuers: Issuers,
  ) {}

  /** In order for each document, concurrently across documents. Throws `UnknownEvent` for a kind of document that this release does not have. */
  @Consumes({ group: 'invoicing', topic: topics.fiscalRegistration })
  async on(@Payload() events: Outcome[]): Promise<void> {
    const byDocument = Map.groupBy(events, ({ subject }) => subject);
    await allDone(Array.from(byDocument.values(), (ofOne) => this.applyAll(ofOne)));
  }

  private async applyAll(events: Outcome[]): Promise<void> {
    for (const event of events) {
      if (NO_OUTCOMES.has(event.type)) continue;
      if (isOfDevice(event)) {
        await applyDeviceOutcome({ issuers: this.issuers, clock: this.context.clock }, event);
        continue;
      }
      const { kind } = event.data;
      if (!isServed(kind)) throw new UnknownEvent({ stream: event.subject, type: `${event.type} of kind ${kind}`, metadata: { v: 1 } });
      await documentTypes[kind].process.applyOutcome(this.context, event);
    }
  }
}

/** What the owners of an account are to know: it says nothing new of a document. */
const NO_OUTCOMES: ReadonlySet<string> = new Set([CertificateExpiringV1.type, DocumentDeadlineNearV1.type]);

const isOfDevice = (event: PublicEvent<object>): event is PublicEvent<DeviceRegistered | DeviceRefused> =>
  event.type === DeviceRegisteredV1.type || event.type === DeviceRefusedV1.type;

const isServed = (kind: string): kind is keyof typeof documentTypes => Object.hasOwn(documentTypes, kind);
