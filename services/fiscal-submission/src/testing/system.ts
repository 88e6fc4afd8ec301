import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { PublicEvent } from '@svc/contracts/events/envelope';
import { fixtureOf } from '@svc/contracts/testing/fixtures';
import { parseEvent } from '@svc/contracts/testing/parse';
import {
  CancellationRequestedV1,
  RegistrationRequestedV1,
  type CancellationRequested,
  type RegistrationRequested,
} from '@svc/contracts/registration/requested';
import { type DocumentStore, embeddedDocumentStore } from '@svc/document-store';
import { Engine } from '@svc/embedded';
import type { PublishTo } from '@svc/event-bus/publishing/publication';
import { startRelay } from '@svc/event-bus/publishing/start-relay';
import { deadLettersIn } from '@svc/event-bus/testing/dead-letters';
import { embeddedEventStore, type EventStore } from '@svc/event-store';
import { createIds, iso, prefixed, systemClock, type Clock, type Env } from '@svc/kernel';
import { createLogger, Health, type KeyRing, newKeyRing, parseKeyRing } from '@svc/service';
import type { Connections } from '../authorities/authorities.ts';
import { assemble, type FiscalSubmission } from '../assemble.ts';
import { type Http, outgoingHttp } from '../sending/http.ts';
import type { Signer } from '../signing/signer.ts';
import type { Authority } from '../submission/authority.ts';
import { attemptEntry } from '../submission/attempts.ts';
import { RegistrationConsumer } from '../submission/consumer.ts';
import type { State } from '../submission/domain/state.ts';
import { readSubmission } from '../submission/submissions.ts';

export const ids = createIds(systemClock);

/** A clock whose timers can be cancelled at once, as those of a killed process. */
function killable(clock: Clock): { clock: Clock; kill(): void } {
  const timers = new Set<() => void>();
  let isDead = false;
  const after: Clock['after'] = (ms, fire) => {
    if (isDead) return () => undefined;
    const cancel = clock.after(ms, () => {
      timers.delete(cancel);
      fire();
    });
    timers.add(cancel);
    return () => {
      timers.delete(cancel);
      cancel();
    };
  };
  const sleep: Clock['sleep'] = (ms, signal) =>
    new Promise((resolve) => {
      if (signal?.aborted) return resolve();
      const cancel = after(ms, resolve);
      signal?.addEventListener('abort', () => {
        cancel();
        resolve();
      });
    });
  const kill = (): void => {
    isDead = true;
    timers.forEach((cancel) => cancel());
  };
  return { clock: { now: clock.now, after, sleep }, kill };
}

/** A clock that is `ms` ahead of the machine's. */
export const ahead = (ms: number): Clock => ({ ...systemClock, now: () => systemClock.now() + ms });

export interface SystemOptions {
  simulatorUrl: string;
  /** Origins of the national authorities. */
  testUrls?: Readonly<Record<string, string>>;
  liveUrls?: Connections['liveUrls'];
  deployment?: Connections['deployment'];
  http?: Http;
  clock?: Clock;
  folder?: string;
  /** A system whose engine and account this one shares, as another process. */
  sharing?: FiscalSystem;
  pace?: 'live' | 'fast';
  /** Encrypts the certificates of accounts; by default a new one. */
  ring?: KeyRing;
  /** Adapters instead of those that are served, in both environments. */
  authorities?: ReadonlyMap<string, Authority>;
  /** That it began on a restored store. */
  restored?: { at: string };
  /** Signs instead of the keys that accounts have set. */
  signer?: Signer;
  /** The store as this process sees it. */
  store?: (store: EventStore) => EventStore;
  /** Called with published events; rejecting makes the publication fail. */
  publish?: (events: PublishedEvent[]) => Promise<void>;
}

export type PublishedEvent = PublicEvent<{ document_id: string; [field: string]: unknown }>;

export type LogLine = { msg: string } & Record<string, unknown>;

/** The service on an embedded engine of its own, with a bus that records published events. */
export class FiscalSystem {
  readonly published: PublishedEvent[] = [];
  /** Published without a stored event: changes of settings, certificates that end, outcomes of tills. */
  readonly direct: PublicEvent<object>[] = [];
  readonly logged: LogLine[] = [];
  readonly account: string;
  readonly folder: string;
  readonly fiscal: FiscalSubmission;
  readonly documents: DocumentStore;
  readonly consumer: RegistrationConsumer;
  readonly ring: KeyRing;
  private readonly engine: Engine;
  private readonly eventStore: EventStore;
  private readonly outgoing: ReturnType<typeof outgoingHttp>;
  /** Ends its timers, as those of a process that is killed. */
  readonly kill: () => void;
  private sequence = 0;

  constructor({
    simulatorUrl,
    testUrls,
    liveUrls,
    deployment,
    http,
    clock: given = systemClock,
    folder,
    sharing,
    pace = 'fast',
    publish = async () => undefined,
    ...replaced
  }: SystemOptions) {
    const { clock, kill } = killable(given);
    this.kill = kill;
    this.outgoing = outgoingHttp(clock);
    this.folder = folder ?? sharing?.folder ?? mkdtempSync(join(tmpdir(), 'fiscal-'));
    this.engine = sharing?.engine ?? Engine.open(this.folder, { durable: false });
    this.eventStore = sharing?.eventStore ?? embeddedEventStore(this.engine, clock);
    const { store = (same) => same, authorities, signer, restored } = replaced;
    this.ring = replaced.ring ?? sharing?.ring ?? parseKeyRing(newKeyRing());
    this.account = sharing?.account ?? prefixed('acct', ids.next());
    this.documents = embeddedDocumentStore(this.engine, 'svc_fiscal_submission');
    const { documents } = this;
    const deadLetters = deadLettersIn(documents);
    const publishing: PublishTo = async (_topic, events) => {
      this.published.push(...(events as PublishedEvent[]));
      await publish(events as PublishedEvent[]);
    };
    this.fiscal = assemble({
      eventStore: store(this.eventStore),
      documents,
      ...(authorities && { authorities: { test: authorities, live: new Map(authorities) } }),
      ...(signer && { signer }),
      restored,
      bus: {
        relay: (source) => startRelay(source, { publish: publishing, deadLetters }),
        publish: async (_topic, events) => void this.direct.push(...events),
      },
      clock,
      ids,
      logger: createLogger(
        { level: 'info', service: 'fiscal-submission' },
        { write: (line) => this.logged.push(JSON.parse(line) as LogLine) },
      ),
      health: new Health(),
      holder: sharing ? 'other system' : 'system',
      ring: this.ring,
      simulatorUrl,
      ...(testUrls && { testUrls }),
      ...(liveUrls && { liveUrls }),
      ...(deployment && { deployment }),
      pace,
      publicUrl: 'http://localhost:3000',
      http: http ?? this.outgoing.http,
    });
    this.consumer = new RegistrationConsumer(this.fiscal.context, this.fiscal.worker);
    this.fiscal.background.onApplicationBootstrap();
  }

  /** The event that invoicing publishes when a document gets its number. */
  requested(over: Partial<RegistrationRequested> = {}, env: Env = 'test'): PublicEvent<RegistrationRequested> {
    const document_id = over.document_id ?? prefixed('inv', ids.next());
    const asked = registrationRequested(document_id);
    return this.event(RegistrationRequestedV1.type, { ...asked, issuer: { ...asked.issuer, tax_id: this.account }, ...over }, env);
  }

  cancellation(of: RegistrationRequested, over: Partial<CancellationRequested> = {}): PublicEvent<CancellationRequested> {
    const { document_id, kind, authority, number, simulate, document, issuer } = of;
    const request = {
      document_id,
      kind,
      authority,
      number,
      simulate,
      document,
      issuer,
      reason: 'entered twice',
      requested_at: iso(systemClock.now()),
    };
    return this.event(CancellationRequestedV1.type, { ...request, ...over }, 'test');
  }

  /** Requests a registration and returns the request's data. */
  async submit(over: Partial<RegistrationRequested> = {}): Promise<RegistrationRequested> {
    const event = this.requested(over);
    await this.consumer.on([event]);
    return event.data;
  }

  state(documentId: string): Promise<State> {
    return readSubmission(this.fiscal.context.streams, 'test', this.account, documentId);
  }

  async attempts(documentId: string) {
    const state = await this.state(documentId);
    return state.status === 'none' ? [] : state.attempts.map(attemptEntry);
  }

  /** Waits until the submission has this status; at most 20 s. */
  async until<S extends State['status']>(documentId: string, status: S): Promise<Extract<State, { status: S }>> {
    for (let waited = 0; waited < 20_000; waited += 10) {
      const state = await this.state(documentId);
      if (state.status === status) return state as Extract<State, { status: S }>;
      await systemClock.sleep(10);
    }
    throw new Error(`${documentId} is not ${status} but ${JSON.stringify(await this.state(documentId))}`);
  }

  /** Waits until a call about it was deferred; at most 20 s. */
  async deferred(documentId: string): Promise<void> {
    for (let waited = 0; waited < 20_000; waited += 10) {
      if ((await this.attempts(documentId)).some(({ outcome }) => outcome === 'deferred')) return;
      await systemClock.sleep(10);
    }
    throw new Error(`no call about ${documentId} is put off`);
  }

  /** Waits until an event of this type about this document is published, and returns it; at most 20 s. */
  async publishedEvent(type: string, documentId: string): Promise<PublishedEvent> {
    for (let waited = 0; waited < 20_000; waited += 10) {
      const found = this.published.find((event) => event.type === type && event.subject === documentId);
      if (found) return found;
      await systemClock.sleep(10);
    }
    throw new Error(`nothing of ${type} about ${documentId}`);
  }

  async row(documentId: string) {
    return this.fiscal.context.rows.get(documentId);
  }

  /** Ends as a killed process does: uncommitted writes are lost. */
  crash(): void {
    this.kill();
    this.engine.abandon();
    void this.fiscal.context.signer.close();
    void this.outgoing.close();
  }

  async close(): Promise<void> {
    await this.fiscal.background.beforeApplicationShutdown();
    await this.outgoing.close();
    this.engine.close();
    rmSync(this.folder, { recursive: true, force: true });
  }

  private event<Data extends { document_id: string }>(type: string, data: Data, env: Env): PublicEvent<Data> {
    this.sequence += 1;
    const head = { specversion: '1.0' as const, source: 'invoicing', datacontenttype: 'application/json' as const };
    const time = iso(systemClock.now());
    return {
      ...head,
      id: prefixed('evt', ids.next()),
      type,
      subject: data.document_id,
      time,
      env,
      account: this.account,
      sequence: this.sequence,
      data,
    };
  }
}

/** A system with the same data, keys and account, as after a restart of the process. */
export function restarted(system: FiscalSystem, options: SystemOptions): FiscalSystem {
  const next = new FiscalSystem({ ...options, folder: system.folder, ring: system.ring });
  return Object.assign(next, { account: system.account });
}

/** The contract's example of a request, for another document. */
export function registrationRequested(document_id: string, issued_at = iso(systemClock.now())): RegistrationRequested {
  const { data } = parseEvent(fixtureOf(RegistrationRequestedV1.type)) as PublicEvent<RegistrationRequested>;
  return { ...data, document_id, number: `INV-${document_id.slice(-20)}`, issued_at, simulate: null };
}
