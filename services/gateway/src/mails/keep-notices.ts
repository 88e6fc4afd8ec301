import { Controller, Inject } from '@nestjs/common';
import { Payload } from '@nestjs/microservices';
import { type PublicEvent, topics } from '@svc/contracts/events/envelope';
import { type Collection, compareAndSet } from '@svc/document-store';
import { Consumes } from '@svc/event-bus';
import type { Gateway } from '../open-gateway.ts';
import { GATEWAY } from '../tokens.ts';
import type { Mail } from './mail.ts';
import { noticesOf } from './notices.ts';

/** Makes mails of what happens. It is there where mails are sent. */
@Controller()
export class Notices {
  constructor(@Inject(GATEWAY) private readonly gateway: Gateway) {}

  @Consumes({ group: 'gateway-mails', topic: topics.setting })
  onSetting(@Payload() events: PublicEvent[]): Promise<void> {
    return keepNotices(this.gateway.mails, events, this.gateway.clock.now());
  }

  @Consumes({ group: 'gateway-mails', topic: topics.fiscalRegistration })
  onRegistration(@Payload() events: PublicEvent[]): Promise<void> {
    return keepNotices(this.gateway.mails, events, this.gateway.clock.now());
  }
}

async function keepNotices(rows: Collection<Mail>, events: readonly PublicEvent[], now: number): Promise<void> {
  for (const notice of events.flatMap((event) => noticesOf(event, now))) {
    if ('withdrawn' in notice) await rows.write([{ delete: notice.withdrawn }]);
    else if (!(await rows.insert(notice.mail)) && notice.mail.kind === 'certificate_ends') await replace(rows, notice.mail);
  }
}

/** The same certificate, in a repeated event, changes nothing. */
async function replace(rows: Collection<Mail>, { _id, detail, due_at, kept_until }: Mail): Promise<void> {
  await compareAndSet<Mail, undefined>(rows, _id, {
    absent: () => undefined,
    change: (now) => (now.detail === detail ? undefined : { detail, due_at, kept_until, tries: 0, done: false, sent: [] }),
  });
}
