import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { embeddedDocuments } from '@svc/document-store';
import { Engine } from '@svc/embedded';
import { systemClock as clock } from '@svc/kernel';
import { memoryLimiter } from '../limiter/memory.ts';
import type { Patience } from '../proxy/owner.ts';
import { type GatewayApp, startGatewayApp } from './gateway-app.suite.ts';
import { RawOwner, type React } from './raw-owner.suite.ts';
import { type StubOptions, type StubOwner, startStubOwner } from './stub-owner.suite.ts';
import type { Work } from './stub-service.suite.ts';

/** Gateways and owners of one test, all real servers; stopped together, the gateways first. */
export class ProxyWorld {
  private readonly folder = mkdtempSync(join(tmpdir(), 'proxy-'));
  private readonly engine = Engine.open(this.folder, { durable: false });
  private readonly closing: (() => Promise<unknown>)[] = [];

  async stub(work: Work, over: Partial<StubOptions> = {}): Promise<StubOwner> {
    const owner = await startStubOwner({ audience: 'invoicing', work, clock, ...over });
    this.closing.push(() => owner.kill());
    return owner;
  }

  async raw(react: React): Promise<RawOwner> {
    const owner = await RawOwner.start(react);
    this.closing.push(() => owner.stop());
    return owner;
  }

  /** An origin where nobody listens. */
  async nobody(): Promise<string> {
    const owner = await RawOwner.start(() => undefined);
    const { origin } = owner;
    await owner.stop();
    return origin;
  }

  async gateway(invoicing: string[], patience: Partial<Patience> = {}): Promise<GatewayApp> {
    const documents = embeddedDocuments(this.engine, `svc_gateway_${this.closing.length}`);
    const started = await startGatewayApp({ documents, limiter: memoryLimiter(clock), invoicing, patience });
    this.closing.push(() => started.app.close());
    return started;
  }

  async stop(): Promise<void> {
    for (const close of this.closing.splice(0).reverse()) await close();
    this.engine.close();
    rmSync(this.folder, { recursive: true, force: true });
  }
}
