import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { embeddedDocumentStore } from '@svc/document-store';
import { Engine } from '@svc/embedded';
import { systemClock as clock } from '@svc/kernel';
import { memoryLimiter } from '../limiter/counters.ts';
import type { Timeouts } from '../proxy/deadlines.ts';
import { type GatewayApp, type GatewayAppOptions, startGatewayApp } from './gateway-app.ts';
import { RawUpstream, type React } from './raw-upstream.ts';
import { type StubOptions, type StubUpstream, startStubUpstream } from './stub-upstream.ts';
import type { Work } from './stub-service.ts';

/** Gateways and upstreams of one test, all real servers. They are stopped together, the gateways first. */
export class ProxySystem {
  private readonly folder = mkdtempSync(join(tmpdir(), 'proxy-'));
  private readonly engine = Engine.open(this.folder, { durable: false });
  private readonly closing: (() => Promise<unknown>)[] = [];

  async stub(work: Work, over: Partial<StubOptions> = {}): Promise<StubUpstream> {
    const upstream = await startStubUpstream({ audience: 'invoicing', work, clock, ...over });
    this.closing.push(() => upstream.kill());
    return upstream;
  }

  async raw(react: React): Promise<RawUpstream> {
    const upstream = await RawUpstream.start(react);
    this.closing.push(() => upstream.stop());
    return upstream;
  }

  /** An origin without a listening server. */
  async unreachable(): Promise<string> {
    const upstream = await RawUpstream.start(() => undefined);
    const { origin } = upstream;
    await upstream.stop();
    return origin;
  }

  async gateway(
    invoicing: string[],
    timeouts: Partial<Timeouts> = {},
    fiscalSubmission: string[] = [],
    more: Pick<GatewayAppOptions, 'reporting' | 'podsSuffix'> = {},
  ): Promise<GatewayApp> {
    const documents = embeddedDocumentStore(this.engine, `svc_gateway_${this.closing.length}`);
    const started = await startGatewayApp({ documents, limiter: memoryLimiter(clock), invoicing, fiscalSubmission, timeouts, ...more });
    this.closing.push(() => started.app.close());
    return started;
  }

  async stop(): Promise<void> {
    for (const close of this.closing.splice(0).reverse()) await close();
    this.engine.close();
    rmSync(this.folder, { recursive: true, force: true });
  }
}
