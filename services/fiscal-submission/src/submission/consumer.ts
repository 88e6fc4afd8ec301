import { Controller, Inject } from '@nestjs/common';
import { Payload } from '@nestjs/microservices';
import { topics, type PublicEvent } from '@svc/contracts/events/envelope';
import {
  CancellationRequestedV1,
  type DeviceRegistrationRequested,
  DeviceRegistrationRequestedV1,
  RegistrationRequestedV1,
  type CancellationRequested,
  type RegistrationRequested,
} from '@svc/contracts/registration/requested';
import { Consumes } from '@svc/event-bus';
import { allDone, iso, millisOf, uidOf, type EventMetadata } from '@svc/kernel';
import { CONTEXT, type Context } from './context.ts';
import { WORKER, type Worker } from './worker.ts';
import type { Authority } from './authority.ts';
import { relist } from './at-rest.ts';
import { claimRow, type Row } from './row.ts';
import { chainStream } from '../chain/chains.ts';
import { submissionStream } from './submissions.ts';
import { requestTill } from './till-registrations.ts';
import { nextStep } from './domain/next-step.ts';
import type { AuthorityError, PreparedRecord, Unprepared } from './domain/facts.ts';
import type { State } from './domain/state.ts';

/** Documents of a batch that are taken in at a time: behind hundreds of one account's the writes of others would wait. */
const AT_ONCE = 20;

/** Consumes requests to register documents and to cancel registrations. */
@Controller()
export class RegistrationConsumer {
  constructor(
    @Inject(CONTEXT) private readonly context: Context,
    @Inject(WORKER) private readonly worker: Worker,
  ) {}

  /** Handles the events of one document in order, and some documents at a time. */
  @Consumes({ group: 'fiscal-submission', topic: topics.registration })
  async on(@Payload() events: PublicEvent[]): Promise<void> {
    const byDocument = Map.groupBy(events, ({ subject }) => subject);
    const documents = byDocument.values();
    const takeOneByOne = async (): Promise<void> => {
      for (const ofOne of documents) await this.takeAll(ofOne);
    };
    await allDone(Array.from({ length: AT_ONCE }, takeOneByOne));
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
      case DeviceRegistrationRequestedV1.type:
        return requestTill(this.context, event as PublicEvent<DeviceRegistrationRequested>);
      default:
        return undefined;
    }
  }
}

/**
 * Opens a submission or its next round. Its record is prepared in the same append where it needs neither a link nor a signature. A repeated round changes nothing in the stream, but its row is written
 * again: the message is repeated when a crash between stream and row prevented the acknowledgement. A document for an authority that this
 * release does not serve is rejected. Returns the claimed row, undefined when no work is left.
 */
export async function openSubmission(context: Context, event: PublicEvent<RegistrationRequested>): Promise<Row | undefined> {
  const { data, traceparent } = event;
  const authority = servedTo(context, event);
  const { document_id, kind, round, number, simulate } = data;
  const opened = {
    document_id,
    kind,
    round,
    authority: data.authority,
    number,
    issuer_tax_id: data.issuer.tax_id ?? '',
    simulate,
    traceparent: traceparent ?? null,
  };
  const at = iso(context.clock.now());
  if (!authority) {
    const error = notServed(data.authority);
    await context.submissions.handle(streamOf(event), () => ({ do: 'reject_unserved', opened, error, at }), metadataOf(event));
    return undefined;
  }
  const record = await begunRecord(context, event, authority);
  const { state } = await context.submissions.handle(streamOf(event), () => ({ do: 'open', opened, ...record, at }), metadataOf(event));
  return rowFor(context, event, authority, state);
}

/** The record that needs nothing more, else what is known of it, with the chain's revision before its link is asked for. */
async function begunRecord(
  { chains }: Context,
  { env, account, data }: PublicEvent<RegistrationRequested>,
  authority: Authority,
): Promise<{ prepared: PreparedRecord } | { unprepared: Unprepared }> {
  const begun = authority.record(data);
  const deadline = authority.deadline(data.issued_at, data.late_reason);
  const { needs } = authority;
  if (!needs.chain && needs.signature !== 'message') {
    return { prepared: { ...authority.complete(begun, { link: null, signature: null }), deadline } };
  }
  const draft = JSON.stringify(begun);
  if (!authority.chain) return { unprepared: { draft, chain: null, deadline } };
  const stream = chainStream(env, account, { authority: authority.id, ...authority.chain(data) });
  return { unprepared: { draft, chain: { stream, seen: await chains.head(stream) }, deadline } };
}

/**
 * Requests the cancellation of a registration, at once or as soon as a registration is known. A repeated request changes nothing. Throws
 * when the authority has no cancellation.
 */
async function requestCancellation(context: Context, event: PublicEvent<CancellationRequested>): Promise<Row | undefined> {
  const { data, sequence } = event;
  const authority = servedTo(context, event);
  if (!authority?.cancel) throw new Error(`${data.authority} knows no cancellation: void ${data.document_id} by a corrective document`);
  const chain = chainOf((await context.submissions.load(streamOf(event))).state);
  const seen = chain === undefined ? {} : { chain: { stream: chain, seen: await context.chains.head(chain) } };
  const cancellation = { sequence, reason: data.reason, simulate: data.simulate, ...seen };
  const at = iso(context.clock.now());
  const { state } = await context.submissions.handle(streamOf(event), () => ({ do: 'cancel', cancellation, at }), metadataOf(event));
  return rowFor(context, event, authority, state);
}

const servedTo = ({ authorities }: Context, { env, data }: PublicEvent<{ authority: string }>): Authority | undefined =>
  authorities[env].get(data.authority);

const notServed = (authority: string): AuthorityError => ({
  code: 'authority_not_served',
  message: `Nothing can be sent to ${authority} yet. Set another authority with PATCH /issuer and submit again.`,
  fixable: 'setup',
});

async function rowFor(context: Context, { env, account }: PublicEvent, authority: Authority, state: State): Promise<Row | undefined> {
  const { rows, clock } = context;
  if (state.status === 'none') return undefined;
  const deadline = deadlineOf(state);
  const chain = chainOf(state);
  const of = { _id: state.document_id, account, env, authority: authority.id, chain };
  if (chain !== undefined)
    await context.closedChains.note({ stream: chain, account, env, authority: authority.id, tax_id: state.issuer_tax_id });
  const now = clock.now();
  if (nextStep(state, authority.needs, iso(now)) !== null)
    return claimRow(rows, clock, { ...of, deadline_at: deadline === null ? null : millisOf(deadline) });
  await relist(rows, { authority, state, now }, of);
  return undefined;
}

/** Until when its authority takes it (ISO 8601); null: it sets no end, or nothing of it waits to be registered. */
function deadlineOf(state: State): string | null {
  if (state.status === 'opened') return state.unprepared?.deadline ?? null;
  return state.status === 'pending' || state.status === 'unknown' ? state.prepared.deadline : null;
}

/** The chain of its records; undefined: it has none. */
function chainOf(state: State): string | undefined {
  if ('registration' in state) return state.registration.chain?.stream;
  if (state.status === 'opened') return state.unprepared?.chain?.stream;
  return 'link' in state ? state.link?.stream : undefined;
}

const streamOf = ({ env, account, data }: PublicEvent<{ document_id: string }>): string => submissionStream(env, account, data.document_id);

function metadataOf({ id, env, account, traceparent }: PublicEvent): Omit<EventMetadata, 'v'> {
  return {
    account,
    env,
    actor: { type: 'system', id: 'fiscal-submission' },
    causation: uidOf('evt', id) ?? id,
    ...(traceparent === undefined ? {} : { traceparent }),
  };
}
