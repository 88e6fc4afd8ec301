import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Module } from '@nestjs/common';
import { type PublicEvent, topics } from '@svc/contracts/events/envelope';
import { publicEvents } from '@svc/contracts/public-events';
import type { RouteName } from '@svc/contracts/routes';
import { queryValidator } from '@svc/contracts/route-query';
import { responseProblems } from '@svc/contracts/testing/validate-response';
import { embeddedDocumentStore } from '@svc/document-store';
import { Engine } from '@svc/embedded';
import { documentDeadLetters, EmbeddedBus } from '@svc/event-bus';
import { storeDeadLetter } from '@svc/event-bus/dead-letters/store';
import { redriveDeadLetters } from '@svc/event-bus/dead-letters/redrive';
import { createIds, FakeClock, parseExact, prefixed, type Env } from '@svc/kernel';
import { createApp, createLogger, fastifyOf, Health, parseKeyRing, type Identity } from '@svc/service';
import { openLedger } from '../postings/ledger.ts';
import { GROUP } from '../postings/posting.ts';
import { ReportingModule } from '../reporting.module.ts';
import type { Sizes } from '../sums/sum-block.ts';
import { ACCOUNT } from './sample-documents.ts';

interface Options {
  env?: Env;
  account?: string;
}
export interface Answer {
  status: number;
  // Of any shape; the route table has checked it.
  body: Record<string, never> & {
    data: Record<string, unknown>[];
    totals: Record<string, unknown>[];
    error: { code: string; details?: object };
  };
}

/** Starts the service on the embedded engine and bus. Requests get the identity and query that the edge would give them. */
export async function startReportingApp(now = Date.UTC(2026, 0, 31, 23, 30), sizes?: Sizes) {
  const folder = mkdtempSync(join(tmpdir(), 'svc-reporting-'));
  const engine = Engine.open(folder, { durable: false });
  const documents = embeddedDocumentStore(engine, 'svc_reporting');
  const deadLetters = documentDeadLetters(documents);
  const clock = new FakeClock(now); // By default already February in Tirana.
  const logger = createLogger({ level: 'silent', service: 'test' });
  const bus = new EmbeddedBus({ clock, logger, deadLetters, head: async () => 0n });
  /** Until when everything has been read that was published, and that was stored; absent: until now. */
  const reading: { published?: number; stored?: number; putAside?: Record<string, number> } = {};
  const reads = {
    readUntil: async () => ({ published: clock.now(), stored: clock.now(), putAside: {}, empty: false, ...reading }),
    deadLetters: bus.deadLetters,
  };
  const secrets = parseKeyRing(`v1:${Buffer.alloc(32, 1).toString('base64')}`);
  const ids = createIds(clock);
  const health = new Health(clock);
  class Root {}
  Module({
    imports: [
      ReportingModule.forRoot({
        ...{ documents, bus: reads, secrets, clock, logger, health, publicUrl: 'https://api.example' },
        ...(sizes && { sizes }),
      }),
    ],
  })(Root);
  const app = await createApp(Root, { logger });
  app.connectMicroservice({ strategy: bus });
  fastifyOf(app).addHook('onRequest', async (request) => {
    const env = request.headers['x-env'] as Env;
    const identity = {
      account: request.headers['x-account'],
      env,
      livemode: env === 'live',
      permissions: ['reports:read'],
      requestId: prefixed('req', ids.next()),
      commandId: ids.next(),
    };
    request.identity = { ...identity, actor: { type: 'api_key', id: 'key_1' } } as Identity;
    const route = request.routeOptions.config.serves;
    const checked = route && queryValidator(route)(request.query as Record<string, unknown>);
    if (checked && 'value' in checked) request.query = checked.value;
  });
  await app.startAllMicroservices();
  await app.init();
  await fastifyOf(app).ready();

  return {
    ledger: openLedger(documents),
    deadLetters: deadLetters(GROUP),
    /** An event that the service could not handle; `redrive` handles it. */
    fail: (topic: string, event: PublicEvent) =>
      storeDeadLetter({ deadLetters, clock, logger }, { group: GROUP, topic, event, origin: 'test', reason: 'failed', failure: 'not now' }),
    redrive: () => redriveDeadLetters(bus.deadLetters, GROUP, {}),
    reading,
    clock,
    health,
    /** Publishes events one by one on the topics of their types, and waits until they are handled. */
    async publish(...events: PublicEvent[]): Promise<void> {
      for (const event of events) await bus.publish(publicEvents.get(event.type)?.topic ?? topics.invoice, [event]);
    },
    passTime: (ms: number): Promise<void> => clock.advance(ms),
    publishBatch: (events: PublicEvent[]): Promise<void> => bus.publish(topics.invoice, events),
    /** Throws for a response that violates the route's contract. */
    async get(path: string, { env = 'test', account = ACCOUNT }: Options = {}): Promise<Answer> {
      const headers = { 'x-env': env, 'x-account': account };
      const { statusCode, body } = await fastifyOf(app).inject({ method: 'GET', url: `/v1${path}`, headers });
      const parsed = parseExact(body);
      const problems = responseProblems(routeOf(path), statusCode, parsed);
      if (problems.length > 0) throw new Error(`${path}: ${problems.join('; ')}`);
      return { status: statusCode, body: parsed as Answer['body'] };
    },
    /** A signed link, which opens without a key. */
    async open(url: string) {
      const { statusCode: status, headers, rawPayload: bytes } = await fastifyOf(app).inject({ method: 'GET', url });
      return { status, headers, bytes };
    },
    async close(): Promise<void> {
      await app.close();
      engine.close();
      rmSync(folder, { recursive: true });
    },
  };
}

function routeOf(path: string): RouteName {
  if (path.startsWith('/customers/')) return 'GET /customers/{id}/statement';
  return path.startsWith('/reports/') ? 'GET /reports/{report}' : 'GET /reports';
}
