import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Engine } from '@svc/embedded';
import { documentDeadLetters, type DeadLetters } from '@svc/event-bus';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { EventStore } from '@svc/event-store';
import type { Http } from '@svc/fiscal-submission';
import type { Gateway } from '@svc/gateway';
import { createIds, FakeClock, settleTurns } from '@svc/kernel';
import { createLogger, Health, parseKeyRing, type Logger } from '@svc/service';
import {
  crashPoints,
  faultyStore,
  Journal,
  Lifetime,
  documentsUntilCrash,
  seededRandom,
  FaultyBus,
  type CrashPoint,
  type FaultInjection,
  type Random,
} from '@svc/testkit/simulation/index';
import { storedBodies } from '@svc/webhooks-dispatcher';
import { composeSystem, embeddedPorts, type Ports } from '@svc/standalone/compose';
import { networkTo, openAuthority, type Authority } from './authority.ts';
import { networkToSubscriber, openSubscriber, type Send, type Subscriber } from './subscriber.ts';

/** Wrappers between the services and their ports, for planted defects. */
export interface Wiring {
  store?(store: EventStore): EventStore;
  documents?(documents: Ports['documents']): Ports['documents'];
  bus?(bus: FaultyBus, lifetime: Lifetime): void;
  http?(http: Http): Http;
  send?(send: Send, lifetime: Lifetime): Send;
}

export interface Answer {
  status: number;
  body: Record<string, unknown>;
}

interface Process {
  lifetime: Lifetime;
  /** Its own engine, lost with it; undefined on servers. */
  engine: Engine | undefined;
  app: NestFastifyApplication;
  gateway: Gateway;
  ports: Ports;
}

/** One process on an engine of its own, or several on servers that do not crash. */
export interface Layout {
  replicas: number;
}

const RING = `v1:${Buffer.alloc(32, 7).toString('base64')}`;
/** The retries of a webhook last longer than the faults. */
const DELAYS = [1_000, 5_000, 15_000, 30_000, 60_000];
const TURNS = 10;
/** Clocks of processes differ by up to this from the system's clock, and are set anew while they run. */
const MOST_SKEW_MS = 4_000;
const NOON = Date.UTC(2026, 0, 15, 12);
/** In the issuer's time zone. */
const BEFORE_MIDNIGHT = Date.UTC(2026, 0, 15, 22, 59, 40);

/**
 * The system, its authority and its subscriber on one clock and one seed. A crashed process restarts on the same folder; with several
 * replicas the others continue.
 */
export class SimulatedSystem {
  readonly clock: FakeClock;
  readonly journal: Journal;
  readonly random: Random;
  readonly authority: Authority;
  readonly subscriber: Subscriber;
  /** Number of crashes so far. */
  crashes = 0;
  private readonly folder = mkdtempSync(join(tmpdir(), 'simulation-'));
  private readonly chances: Record<'store' | 'bus' | 'authority' | 'subscriber', number>;
  private readonly running: Process[] = [];
  private readonly routing: Random;
  private readonly servers: (Pick<Ports, 'eventStore' | 'documents'> & { engine: Engine }) | undefined;
  private starting: Promise<void> = Promise.resolve();
  private starts = 0;
  private crashesLeft: number;
  private armed: CrashPoint | undefined;
  private isInjecting = false;

  constructor(
    seed: number,
    private readonly wiring: Wiring,
    private readonly layout: Layout,
  ) {
    this.random = seededRandom(`simulation ${seed}`);
    this.clock = new FakeClock(this.random.fork('day').chance(0.3) ? BEFORE_MIDNIGHT : NOON);
    this.journal = new Journal(this.clock);
    this.routing = this.random.fork('routing');
    this.servers = layout.replicas > 1 ? this.openServers() : undefined;
    const chances = this.random.fork('chances');
    const upTo = (most: number): number => (chances.chance(0.3) ? 0 : chances.next() * most);
    this.chances = { store: upTo(0.15), bus: upTo(0.3), authority: upTo(0.15), subscriber: upTo(0.2) };
    this.crashesLeft = chances.between(3, 8);
    this.authority = openAuthority(this.clock, this.journal);
    this.subscriber = openSubscriber(this.journal, this.random.fork('subscriber'), () => (this.isInjecting ? this.chances.subscriber : 0));
  }

  get crashesToCome(): number {
    return this.crashesLeft;
  }

  /** A running process. */
  get process(): Process {
    if (this.running.length === 0) throw new Error('the system is down');
    return this.routing.pick(this.running);
  }

  /** One request, in process. Rejects when no process runs or the process crashes before it responds. */
  async request(method: string, path: string, headers: Record<string, string>, body?: unknown): Promise<Answer> {
    const { lifetime, app } = this.process;
    const payload = body === undefined ? {} : { payload: JSON.stringify(body) };
    const type = body === undefined ? {} : { 'content-type': 'application/json' };
    const asked = app.inject({ method: method as 'GET', url: `/v1${path}`, headers: { ...headers, ...type }, ...payload });
    const { statusCode, payload: text } = await lifetime.connected(asked);
    return { status: statusCode, body: JSON.parse(text) as Answer['body'] };
  }

  async begin(): Promise<void> {
    for (let n = 0; n < this.layout.replicas; n += 1) await this.start();
  }

  startFaults(): void {
    this.isInjecting = true;
    this.armNext();
  }

  stopFaults(): void {
    this.isInjecting = false;
    this.crashesLeft = 0;
    this.armed = undefined;
  }

  /** Advances the clock; waits for processes that start meanwhile. */
  advance(ms: number): Promise<void> {
    return this.clock.advance(ms, async () => {
      await this.starting;
      await settleTurns(TURNS);
    });
  }

  close(): void {
    for (const { lifetime, engine } of this.running) {
      lifetime.end();
      engine?.abandon();
    }
    this.servers?.engine.abandon();
    this.authority.ledger.close();
    rmSync(this.folder, { recursive: true });
  }

  private armNext(): void {
    if (this.crashesLeft === 0) return;
    const chance = this.random.fork(`crash ${this.crashesLeft}`);
    this.clock.after(chance.between(100, 2_500), () => {
      if (!this.isInjecting) return;
      const point = (this.armed = chance.pick(crashPoints));
      const anywhere = (): void => {
        if (this.running.length > 0) this.crash(chance.pick(this.running), 'anywhere');
      };
      if (point === 'anywhere') anywhere();
      else this.clock.after(1_500, () => this.armed === point && anywhere());
    });
  }

  private crash({ lifetime, engine }: Pick<Process, 'lifetime' | 'engine'>, point: CrashPoint): void {
    if (lifetime.over || !this.isInjecting) return;
    this.journal.note('system', `crashes, ${point}`);
    const at = this.running.findIndex((one) => one.lifetime === lifetime);
    if (at >= 0) this.running.splice(at, 1);
    this.armed = undefined;
    this.crashesLeft -= 1;
    this.crashes += 1;
    lifetime.end();
    engine?.abandon();
    this.clock.after(this.random.fork(`restart ${this.starts}`).between(20, 1_500), () => {
      this.starting = this.starting.then(() => this.start());
    });
  }

  private async start(): Promise<void> {
    this.starts += 1;
    const random = this.random.fork(`process ${this.starts}`);
    const lifetime = new Lifetime(this.clock, this.skewOf(random.fork('skew')));
    const { clock } = lifetime;
    const injectionFor = (part: string): FaultInjection => ({
      lifetime,
      network: this.clock,
      random: random.fork(part),
      journal: this.journal,
      isActive: () => this.isInjecting,
      crashesAt: (point) => {
        if (!lifetime.over && this.armed === point) this.crash({ lifetime, engine: own }, point);
        return lifetime.over;
      },
    });
    const own = this.servers ? undefined : Engine.open(this.folder, { durable: false });
    const holder = this.servers ? { holder: `replica ${this.starts}` } : {};
    const logger = createLogger({ level: 'error', service: 'simulation' }, { write: (line) => this.noteError(lifetime, line) });
    const ports = this.portsOn(own, lifetime, logger, injectionFor);
    const { http = (to) => to, send = (to) => to } = this.wiring;
    const { app, gateway } = await composeSystem(
      {
        ...holder,
        clock,
        ids: createIds(clock, random.fork('ids').bytes),
        logger,
        health: new Health(clock),
        ringOf: () => parseKeyRing(RING),
        publicUrl: 'https://api.example',
        simulatorUrl: 'http://authority.example',
        pace: 'live',
        edge: { HOSTS: new Map(), REQUIRE_HTTPS: false, TRUSTED_PROXIES: [] },
        webhooks: {
          allowed: [],
          delays: DELAYS,
          resolve: async () => ['93.184.216.34'],
          send: send(networkToSubscriber(this.subscriber, this.chances.subscriber, injectionFor('subscriber')), lifetime),
        },
        authorityHttp: http(networkTo(this.authority, this.chances.authority, injectionFor('authority'))),
      },
      ports,
    );
    if (lifetime.over) return;
    this.running.push({ lifetime, engine: own, app, gateway, ports });
    this.journal.note('system', 'starts');
    if (this.isInjecting) this.armNext();
  }

  /** The offset of a process's wall clock, which changes now and then. */
  private skewOf(random: Random): () => number {
    const skew = (): number => (random.chance(0.3) ? 0 : random.between(-MOST_SKEW_MS, MOST_SKEW_MS));
    let [now, until] = [skew(), this.clock.now() + random.between(1_000, 20_000)];
    return () => {
      if (this.clock.now() >= until) [now, until] = [skew(), this.clock.now() + random.between(1_000, 20_000)];
      return now;
    };
  }

  private openServers() {
    const engine = Engine.open(this.folder, { durable: false });
    const logger = createLogger({ level: 'silent', service: 'simulation' });
    const { eventStore, documents } = embeddedPorts({ engine, clock: this.clock, logger });
    return { engine, eventStore, documents };
  }

  private portsOn(own: Engine | undefined, lifetime: Lifetime, logger: Logger, injectionFor: (part: string) => FaultInjection): Ports {
    const { store = (to) => to, documents = (of) => of, bus: rewire } = this.wiring;
    const { clock } = lifetime;
    const plain = own ? embeddedPorts({ engine: own, clock, logger }) : this.onServers(lifetime);
    const each = this.chances.store / 3;
    const eventStore = store(faultyStore(plain.eventStore, { lostRequest: each, lostReply: each, late: each }, injectionFor('store')));
    const deadLetters = deadLettersOf(plain.documents);
    const { bus: chance } = this.chances;
    const faults = { delay: chance, split: chance, repeat: chance, later: chance };
    const bus = new FaultyBus({ clock, logger, deadLetters, head: () => plain.eventStore.head() }, faults, injectionFor('bus'));
    rewire?.(bus, lifetime);
    return { eventStore, bus, bodies: plain.bodies, documents: documents(plain.documents) };
  }

  private onServers(lifetime: Lifetime): Omit<Ports, 'bus'> {
    if (!this.servers) throw new Error('there are no servers');
    const { eventStore, documents } = this.servers;
    return { eventStore, documents: (database) => documentsUntilCrash(documents(database), lifetime), bodies: () => storedBodies };
  }

  private noteError(lifetime: Lifetime, line: string): void {
    if (lifetime.over) return;
    const { msg, err } = JSON.parse(line) as { msg: string; err?: { message?: string } };
    this.journal.note('log', `${msg}: ${err?.message ?? ''}`);
  }
}

export const deadLettersOf = (documents: Ports['documents']): DeadLetters => documentDeadLetters(documents('svc_bus'));
