import { mkdtempSync, rmSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Module } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { embeddedDocuments } from '@svc/documents';
import { Engine } from '@svc/embedded';
import { createIds, FakeClock } from '@svc/kernel';
import { createApp, createLogger, Health, newKeyRing, parseKeyRing, servedRoutes } from '@svc/service-kit';
import { openAccount, type NewAccount } from '../accounts/open-account.ts';
import type { EdgeOptions } from '../edge/options.ts';
import { useEdge } from '../edge/use-edge.ts';
import { useReference } from '../reference/use-reference.ts';
import { GatewayModule } from '../gateway.module.ts';
import { memoryLimiter } from '../limiter/memory.ts';
import type { Gateway } from '../open-gateway.ts';
import { GATEWAY } from '../tokens.ts';
import { made, stubService, type Work } from './stub-service.suite.ts';

const ring = parseKeyRing(newKeyRing());
const PLENTY = { plan: 1_000_000, burst: 100_000, submit: 100_000, receipts: 100_000, reports: 100_000 };

export interface Answer {
  status: number;
  headers: Record<string, string | undefined>;
  text: string;
  body: { error?: { code: string; message: string; request_id: string; details?: object } } & Record<string, unknown>;
}

export interface Sent {
  headers?: Record<string, string>;
  body?: unknown;
  raw?: string;
  /** Loopback address to call from. */
  from?: string;
}

export type Call = (method: string, path: string, sent?: Sent) => Promise<Answer>;

/** The edge and the gateway before a stub service, on the embedded engine and a clock that stands still. */
export class EdgeApp {
  readonly work: Work = { commands: [], run: made };
  readonly folder = mkdtempSync(join(tmpdir(), 'edge-'));
  private engine!: Engine;
  private app!: NestFastifyApplication;

  private constructor(
    private readonly options: Partial<EdgeOptions>,
    readonly clock: FakeClock,
  ) {}

  static async start(options: Partial<EdgeOptions> = {}): Promise<EdgeApp> {
    const edge = new EdgeApp(options, new FakeClock());
    await edge.boot();
    return edge;
  }

  private async boot(): Promise<void> {
    const { clock } = this;
    this.engine = Engine.open(this.folder, { durable: false });
    const logger = createLogger({ level: 'silent', service: 'test' });
    const gateway = GatewayModule.forRoot({
      documents: embeddedDocuments(this.engine, 'svc_gateway'),
      limiter: memoryLimiter(clock),
      secrets: ring,
      clock,
      ids: createIds(clock),
      logger,
      health: new Health(clock),
      publicUrl: 'http://test',
    });
    class TestModule {}
    Module({ imports: [gateway], controllers: [stubService(this.work)] })(TestModule);
    this.app = await createApp(TestModule, { logger });
    const served = (): ReturnType<typeof servedRoutes> => servedRoutes(this.app);
    const rest = { hosts: new Map(), requireHttps: false, trustedProxies: ['loopback'], served };
    useEdge(this.app, { ...this.gateway, ...rest, ...this.options });
    useReference(this.app, { served, publicUrl: 'http://test' });
    await this.app.listen(0, '127.0.0.1');
  }

  get gateway(): Gateway {
    return this.app.get<Gateway>(GATEWAY);
  }

  get port(): number {
    return (this.app.getHttpServer().address() as { port: number }).port;
  }

  /** As after `kill -9`: what was not committed is lost. */
  async crash(): Promise<void> {
    this.engine.abandon();
    await this.app.close().catch(() => undefined);
    await this.boot();
  }

  async stop(): Promise<void> {
    await this.app.close();
    this.engine.close();
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** An account of its own, with limits that are never reached unless a test gives others. */
  async account(over: Partial<NewAccount> = {}): Promise<{ id: string; testKey: string; liveKey: string; call: Call }> {
    const input: NewAccount = { name: 'Test', plan: 'enterprise', limits: PLENTY, ...over };
    const { account, testKey, liveKey } = await openAccount(this.gateway.accounts, input, { type: 'system', id: 'test' });
    return { id: account._id, testKey, liveKey, call: this.caller(testKey) };
  }

  caller(key?: string): Call {
    return (method, path, sent = {}) =>
      this.send(method, path, { ...sent, headers: { ...(key && { authorization: `Bearer ${key}` }), ...sent.headers } });
  }

  private send(method: string, path: string, { headers, body, raw, from }: Sent): Promise<Answer> {
    const text = raw ?? (body === undefined ? undefined : JSON.stringify(body));
    const about = text === undefined ? {} : { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(text)) };
    const where = { host: '127.0.0.1', port: this.port, path, method, localAddress: from, agent: false as const };
    return new Promise((resolve, reject) => {
      const request = httpRequest({ ...where, headers: { ...about, ...headers } }, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () => {
          const answer = Buffer.concat(chunks).toString('utf8');
          const parsed = answer === '' ? {} : (JSON.parse(answer) as Answer['body']);
          resolve({ status: response.statusCode ?? 0, headers: response.headers as Answer['headers'], text: answer, body: parsed });
        });
      });
      request.on('error', reject);
      request.end(text);
    });
  }
}
