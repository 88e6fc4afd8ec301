import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { Role } from '@svc/contracts/console/roles';
import { Engine } from '@svc/embedded';
import { demoSignInUrl, ensureDemoAccount, type DemoAccount, type Gateway } from '@svc/gateway';
import { openAccount } from '@svc/gateway/keys/open-account';
import { ensureOwner } from '@svc/gateway/members/first-owner';
import { Browser, type Page, tokenOf } from '@svc/gateway/testing/browser';
import { createIds, systemClock as clock } from '@svc/kernel';
import { createLogger, Health, newKeyRing, parseKeyRing } from '@svc/service';
import { composeSystem, embeddedPorts, type Ports, type SystemDependencies } from '@svc/standalone/compose';
import { phrases } from '@svc/standalone/phrases';
import { NO_PHASES } from '@svc/webhooks-dispatcher/sending/send';

const PASSWORD = 'Bridge-and-lantern-7';
const ring = parseKeyRing(newKeyRing());
let addresses = 0;

/** The whole system in this process with its dashboard, on the system clock; subscribers answer 500, and there is no authority unless `over` has one. */
export class ConsoleSystem {
  readonly folder = mkdtempSync(join(tmpdir(), 'console-'));
  demo!: DemoAccount;
  gateway!: Gateway;
  ports!: Ports;
  private engine!: Engine;
  private app!: NestFastifyApplication;

  private constructor(private readonly over: Partial<SystemDependencies>) {}

  static async start(over: Partial<SystemDependencies> = {}): Promise<ConsoleSystem> {
    const system = new ConsoleSystem(over);
    await system.boot();
    return system;
  }

  private async boot(): Promise<void> {
    this.engine = Engine.open(this.folder, { phrases, durable: false });
    const logger = createLogger({ level: 'silent', service: 'test' });
    this.ports = embeddedPorts({ engine: this.engine, clock, logger });
    const composed = await composeSystem(
      {
        ...{ clock, ids: createIds(clock), logger, health: new Health(clock), ringOf: () => ring, publicUrl: 'http://test' },
        ...{ simulatorUrl: 'http://localhost:1', pace: 'fast', holder: 'test' },
        edge: { HOSTS: new Map(), REQUIRE_HTTPS: false, TRUSTED_PROXIES: [] },
        authorityHttp: () => Promise.reject(new Error('no authority')),
        webhooks: {
          ...{ allowed: [], delays: [60_000], resolve: async () => ['93.184.216.34'] },
          send: async () => ({ status: 500, body: '', phases: NO_PHASES }),
        },
        ...this.over,
      },
      this.ports,
    );
    ({ app: this.app, gateway: this.gateway } = composed);
    await this.app.listen(0, '127.0.0.1');
    this.demo = (await ensureDemoAccount(this.gateway.accounts, { plan: 'enterprise', email: 'demo@example.com' })) ?? this.demo;
  }

  /** A browser with an address of its own. */
  browser(): Browser {
    addresses += 1;
    return new Browser(
      () => (this.app.getHttpServer().address() as { port: number }).port,
      `127.30.${addresses >> 8}.${(addresses & 255) + 1}`,
    );
  }

  /** The first owner, signed in by the link, with a password and a name. */
  async owner(name = 'Ana'): Promise<Browser> {
    const url = await demoSignInUrl(this.gateway.accounts, this.demo.account_id);
    return this.joined(url ?? '', name);
  }

  /** The owner of another account, signed in. */
  async other(name = 'Olaf'): Promise<Browser> {
    const [email, by] = [`owner.${(addresses += 1)}@example.com`, { type: 'system', id: 'operator' }] as const;
    const { accounts } = this.gateway;
    const { account } = await openAccount(accounts, { name: 'Other', plan: 'enterprise', limits: null, email }, by);
    return this.joined((await ensureOwner(accounts, { account: account._id, email }, by)) ?? '', name);
  }

  async invited(by: Browser, role: Role, name = 'Eva'): Promise<Browser> {
    const { body } = await by.call('POST', '/members', { body: { email: `${role}.${(addresses += 1)}@example.com`, role } });
    return this.joined(String(body['invitation_url']), name);
  }

  private async joined(url: string, name: string): Promise<Browser> {
    const browser = this.browser();
    await browser.call('POST', '/session', { body: { token: tokenOf(url) } });
    const { status, text } = await browser.call('PATCH', '/me', { body: { name, password: { new: PASSWORD } } });
    if (status !== 200) throw new Error(text);
    return browser;
  }

  async stop(): Promise<void> {
    const closed = this.app.close();
    this.app.getHttpServer().closeAllConnections();
    await closed;
    this.engine.close();
    rmSync(this.folder, { recursive: true, force: true });
  }
}

export const listOf = <Row>({ body }: Page): Row[] => body['data'] as Row[];
