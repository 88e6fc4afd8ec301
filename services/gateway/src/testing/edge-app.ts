import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Module } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { RouteName } from '@svc/contracts/routes';
import { embeddedDocumentStore } from '@svc/document-store';
import { Engine } from '@svc/embedded';
import { embeddedEventStore } from '@svc/event-store';
import { createIds, FakeClock, streamOf, type Ids } from '@svc/kernel';
import { createApp, createLogger, fastifyOf, Health, newKeyRing, parseKeyRing, servedRoutes } from '@svc/service';
import { documentDeadLetters, EmbeddedBus } from '@svc/event-bus';
import { consoleHandlers } from '../console/all-handlers.ts';
import { useConsole } from '../console/use-console.ts';
import { withoutConsole } from '../routing/route-table.ts';
import { openAccount, type NewAccount } from '../keys/open-account.ts';
import type { EdgeOptions } from '../edge/options.ts';
import { useEdge } from '../edge/use-edge.ts';
import { usePages } from '../pages/use-pages.ts';
import { useProxy } from '../proxy/use-proxy.ts';
import { useReference } from '../reference/use-reference.ts';
import { GatewayModule } from '../gateway.module.ts';
import { memoryLimiter } from '../limiter/counters.ts';
import type { Gateway } from '../open-gateway.ts';
import { GATEWAY } from '../tokens.ts';
import { type Answer, type Call, callerOf } from './call.ts';
import { type StubUpstream, sharedKeys, startStubUpstream } from './stub-upstream.ts';
import { noEndpoints } from './no-endpoints.ts';
import { documentsService, type StubDocuments } from './stub-documents.ts';
import { made, stubService, type Work } from './stub-service.ts';

export type { Answer, Call };

export const ring = parseKeyRing(newKeyRing());
const PLENTY = { plan: 1_000_000, burst: 100_000, submit: 100_000, receipts: 100_000, reports: 100_000 };

/** Where the stub service runs: in the edge's process, there with events on the edge's engine, or as servers that the proxy forwards to. */
export type Way = 'in one process' | 'in one process with events' | 'through the proxy';
export const ways: Way[] = ['in one process', 'through the proxy'];

/** The edge and the gateway before a stub service, on the embedded engine and a fake clock. */
export class EdgeApp {
  readonly work: Work = { commands: [], run: made };
  /** Commands whose event was appended. */
  readonly made: string[] = [];
  /** Bytes that accounts have stored at the service. */
  readonly stored: Record<string, number> = {};
  /** Bytes that the deliveries of accounts take at webhooks-dispatcher. */
  readonly delivered: Record<string, number> = {};
  /** False: the service does not tell. */
  isCounting = true;
  /** All logged lines. */
  readonly log: string[] = [];
  readonly folder = mkdtempSync(join(tmpdir(), 'edge-'));
  private pages = join(this.folder, 'pages');
  private engine!: Engine;
  private app!: NestFastifyApplication;
  private upstreams: StubUpstream[] = [];

  private constructor(
    private readonly options: Partial<EdgeOptions>,
    private readonly way: Way,
    readonly clock: FakeClock,
    private readonly documents: StubDocuments | undefined,
  ) {}

  /** `pages`: the folder of a built dashboard. `documents`: those that the stub lists; by default it has no such routes. */
  static async start(
    options: Partial<EdgeOptions> & { pages?: string; documents?: StubDocuments } = {},
    way: Way = 'in one process',
  ): Promise<EdgeApp> {
    const { pages, documents, ...edgeOptions } = options;
    const edge = new EdgeApp(edgeOptions, way, new FakeClock(), documents);
    if (pages !== undefined) edge.pages = pages;
    const { work, clock } = edge;
    if (way === 'through the proxy')
      edge.upstreams = await Promise.all(['invoicing', 'reporting'].map((audience) => startStubUpstream({ audience, work, clock })));
    await edge.boot();
    return edge;
  }

  private async boot(): Promise<void> {
    const { clock } = this;
    this.engine = Engine.open(this.folder, { durable: false });
    const logger = createLogger({ level: 'info', service: 'test' }, { write: (line) => void this.log.push(line) });
    const ids = createIds(clock);
    const hasEvents = this.way === 'in one process with events';
    if (hasEvents) this.work.append = this.appendTo(ids);
    const documents = embeddedDocumentStore(this.engine, 'svc_gateway', { hasEvents });
    const bus = new EmbeddedBus({ clock, logger, deadLetters: documentDeadLetters(documents), head: async () => 0n });
    const gateway = GatewayModule.forRoot({
      documents,
      bus,
      ...(this.way !== 'through the proxy' && { holder: 'edge' }),
      limiter: memoryLimiter(clock),
      storedBytes: [
        async () => {
          if (!this.isCounting) throw new Error('invoicing does not answer');
          return this.stored;
        },
        async () => this.delivered,
      ],
      endpointHours: noEndpoints,
      secrets: ring,
      clock,
      ids,
      logger,
      health: new Health(clock),
      publicUrl: 'http://test',
    });
    class TestModule {}
    Module({ imports: [gateway], controllers: this.controllers() })(TestModule);
    this.app = await createApp(TestModule, { logger, publicUrl: 'http://test', rewriteUrl: withoutConsole });
    const [invoicing, reporting] = this.upstreams;
    const served = (): ReadonlySet<RouteName> => new Set([...servedRoutes(this.app), ...(invoicing?.serves ?? [])]);
    const rest = { hosts: new Map(), requireHttps: false, trustedProxies: ['loopback'], accessLogPercent: 0, served };
    useEdge(this.app, { ...this.gateway, ...rest, ...this.options });
    if (invoicing && reporting) {
      const origins = {
        ...{ invoicing: [invoicing.origin], reporting: [reporting.origin] },
        ...{ 'fiscal-submission': [], 'webhooks-dispatcher': [] },
      };
      const stopping = new AbortController().signal;
      const shared = { trustedProxies: ['loopback'], keys: sharedKeys, clock, logger, stopping };
      useProxy(this.app, { origins, served: invoicing.serves, ...shared });
    }
    useConsole(this.app, {
      handlers: consoleHandlers(this.gateway, this.app, ['loopback']),
      ...{ insiders: this.gateway.insiders, clock: this.gateway.clock },
      served,
      publicUrl: 'http://test',
    });
    usePages(this.app, { publicUrl: 'http://test', folder: this.pages });
    useReference(this.app, { served, publicUrl: 'http://test' });
    this.app.connectMicroservice({ strategy: bus });
    await this.app.startAllMicroservices();
    await this.app.listen(0, '127.0.0.1');
  }

  private controllers(): (new () => object)[] {
    if (this.way === 'through the proxy') return [];
    return [stubService(this.work), ...(this.documents ? [documentsService(this.documents)] : [])];
  }

  /** One event for each command, however often it runs. */
  private appendTo(ids: Ids): NonNullable<Work['append']> {
    const events = embeddedEventStore(this.engine, this.clock);
    return async ({ identity: { account, env, actor, commandId } }) => {
      const stream = streamOf('customer', env, account, `cust_${commandId}`);
      if ((await events.read(stream)).length > 0) return;
      const metadata = { account, env, actor, command_id: commandId, v: 1 };
      await events.append(stream, 'none', [{ id: ids.next(), type: 'Made', data: {}, metadata }]);
      this.made.push(commandId);
    };
  }

  get fastify() {
    return fastifyOf(this.app);
  }

  get gateway(): Gateway {
    return this.app.get<Gateway>(GATEWAY);
  }

  /** Transactions so far. */
  get commits(): number {
    return this.engine.counters.commits;
  }

  get port(): number {
    return (this.app.getHttpServer().address() as { port: number }).port;
  }

  /** Simulates `kill -9`: what was not committed is lost. */
  async crash(): Promise<void> {
    this.engine.abandon();
    // What was in hand never ends, since the engine has gone under it.
    const closed = this.app.close().catch(() => undefined);
    await Promise.race([closed, new Promise((resolve) => setTimeout(resolve, 500))]);
    await this.boot();
  }

  async stop(): Promise<void> {
    const closed = this.app.close();
    // A client opens more connections than it uses: those without a request would stay open until they time out.
    this.app.getHttpServer().closeAllConnections();
    await closed;
    for (const { app } of this.upstreams) await app.close();
    this.engine.close();
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** A new account, with limits that no test reaches by default. */
  async account(over: Partial<NewAccount> = {}): Promise<{ id: string; testKey: string; liveKey: string; call: Call }> {
    const input: NewAccount = { name: 'Test', plan: 'enterprise', limits: PLENTY, ...over };
    const { account, testKey, liveKey } = await openAccount(this.gateway.accounts, input, { type: 'system', id: 'test' });
    return { id: account._id, testKey, liveKey, call: this.caller(testKey) };
  }

  caller(key?: string): Call {
    return callerOf(() => this.port, key);
  }
}
