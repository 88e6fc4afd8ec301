import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { client, startSystem, type Call, type System } from '@svc/testkit';
import { HUGE, openAccount } from '../../e2e/testing/accounts.ts';
import { wideInvoice } from './invoices.ts';
import type { Measured, Order, Report, VictimOptions } from './victim.ts';

/** A new system with an attacking account and a victim account. */
export interface AttackFixture {
  /** The system as it runs now. */
  readonly system: System;
  attacker: Attacker;
  victim: { call: Call; customer: string };
  /** So many more, each with an account of its own. */
  attackers(count: number, limits: Limits): Promise<Attacker[]>;
  /** Resident memory of the system's largest process, MiB. */
  memory(): number;
  /**
   * Runs the attack and, until it ends, typical requests of the victim, after the same without it. Fails when a request or webhook of the victim is too slow, or
   * memory exceeds the limit.
   */
  during(attack: () => Promise<void>): Promise<Victim>;
  /** Kills the system by SIGKILL, and starts it again on its data; `meanwhile`: before that. */
  kill(meanwhile?: () => Promise<void>): Promise<void>;
  close(): Promise<void>;
}

export interface Attacker {
  id: string;
  call: Call;
  key: string;
  liveKey: string;
  customer: string;
}

/** The victim's measurements. */
export interface Victim extends Measured {
  /** MiB. */
  mostMemory: number;
}

const REQUEST_MS = 1_000;
const WEBHOOK_MS = 5_000;
const MOST_MIB = 1_024;
const LOST_MS = 60_000;
const PAUSE_MS = 200;
/** Large invoices before the attack. */
const WARM_UP = 50;
/** Of the control, which is repeated so often where it is too slow. */
const CONTROL_MS = 3_000;
const CONTROLS = 5;

/** `storage`: bytes; by default those of the plan. */
type Limits = Partial<typeof HUGE> & { storage?: number };

/** Those of plans. */
export const PROFESSIONAL = { plan: 1_000, burst: 100, submit: 10, receipts: 100, reports: 5 } satisfies Limits;
export const FREE = { ...PROFESSIONAL, plan: 60, burst: 10 } satisfies Limits;

export async function openAttack({
  limits = HUGE,
  env = {},
}: { limits?: Limits; env?: Record<string, string> } = {}): Promise<AttackFixture> {
  const thread = openThread();
  const { origin } = await thread.next<{ origin: string }>();
  let system = await startSystem({ ...env, WEBHOOKS_ALLOW: [origin, env['WEBHOOKS_ALLOW']].filter(Boolean).join() });
  const account = async (name: string, given: Limits): Promise<Attacker> => {
    const { id, testKey: key, liveKey } = await openAccount(system, name, { onAnswer: () => undefined, limits: given });
    const call = client(`${system.url}/v1`, key);
    const { body } = await call<{ id: string }>('POST', '/customers', { body: { name: `Customer of ${name}` } });
    return { id, call, key, liveKey, customer: body.id };
  };
  await warmUp(await account('Earlier', HUGE));
  const attacker = await account('Attacker', limits);
  const { call, key, customer } = await account('Victim', HUGE);
  const victim = { call, customer, account: { url: `${system.url}/v1`, key, customer } };
  await call('POST', '/webhooks', { body: { url: `${origin}/hook`, events: ['*'], description: 'all' } });
  const memory = (): number => memoryOf(system);

  async function measured(work: () => Promise<unknown>): Promise<Victim> {
    let mostMemory = 0;
    const watching = setInterval(() => (mostMemory = Math.max(mostMemory, memory())), PAUSE_MS);
    const seen = thread.next<{ seen: Measured }>();
    thread.send({ order: 'begin', ...victim.account });
    try {
      const working = work().finally(() => thread.send({ order: 'end' }));
      const [{ seen: measurements }] = await Promise.all([seen, working]);
      return { ...measurements, mostMemory };
    } finally {
      clearInterval(watching);
    }
  }

  /** The control: the victim's requests alone, until a machine that others have kept busy, or a system that has just started, answers them fast enough. */
  async function untilFast(): Promise<void> {
    for (let n = 1; ; n += 1) {
      const { slowest } = await measured(() => new Promise((resolve) => setTimeout(resolve, CONTROL_MS)));
      if (slowest.ms <= REQUEST_MS / 3) return;
      console.log(JSON.stringify({ repeated: 'without an attack the machine is too slow for the deadline', slowest }));
      if (n === CONTROLS) return;
    }
  }

  return {
    get system() {
      return system;
    },
    attacker,
    victim,
    attackers: (count, given) => Promise.all(Array.from({ length: count }, (_, n) => account(`Attacker ${n}`, given))),
    memory,
    async during(attack) {
      await untilFast();
      const seen = await measured(attack);
      console.log(JSON.stringify(seen));
      expect(seen.requests).toBeGreaterThan(10);
      expect(seen.slowest.ms).toBeLessThanOrEqual(REQUEST_MS);
      expect(seen.slowestWebhook).toBeLessThanOrEqual(WEBHOOK_MS);
      expect(seen.mostMemory).toBeLessThanOrEqual(MOST_MIB);
      return seen;
    },
    async kill(meanwhile) {
      await system.kill('SIGKILL');
      await meanwhile?.();
      system = await system.restart();
    },
    async close() {
      await system.stop();
      await thread.close();
    },
  };
}

/** The thread of the victim. */
function openThread() {
  const workerData: VictimOptions = { pauseMs: PAUSE_MS, mostMs: LOST_MS };
  const worker = new Worker(join(import.meta.dirname, 'victim.ts'), { workerData, execArgv: ['--conditions=@svc/source'] });
  const next = async <R extends Report>(): Promise<R> => {
    const [report] = (await once(worker, 'message')) as [Report];
    if ('error' in report) throw new Error(report.error);
    return report as R;
  };
  const send = (order: Order): void => worker.postMessage(order);
  return {
    next,
    send,
    async close(): Promise<void> {
      const closed = next();
      send({ order: 'close' });
      await closed;
      await worker.terminate();
    },
  };
}

/** What a system has done that did not start a moment ago: its code, and that of the servers' virtual machines, is compiled as it runs. */
async function warmUp({ call, customer }: Pick<AttackFixture['attacker'], 'call' | 'customer'>): Promise<void> {
  const body = wideInvoice(customer, { lines: 450, taxes: 2 });
  for (let n = 0; n < WARM_UP; n += 1) {
    const { status } = await call('POST', '/invoices', { body });
    if (status !== 201) throw new Error(`an invoice of the account before the attack answered ${status}`);
  }
}

/** Resident memory of the system's largest process, MiB: the one that was started, or one that it has started. */
export function memoryOf({ pid: first }: System): number {
  const seen = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        const status = readFileSync(`/proc/${pid}/status`, 'utf8');
        const numberOf = (name: string): number => Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)?.[1] ?? 0);
        return [{ pid: Number(pid), parent: numberOf('PPid'), mib: numberOf('VmRSS') / 1024 }];
      } catch {
        return []; // It has ended.
      }
    });
  const own = new Set([first]);
  for (let before = 0; before < own.size;) {
    before = own.size;
    for (const { pid, parent } of seen) if (own.has(parent)) own.add(pid);
  }
  return Math.max(...seen.filter(({ pid }) => own.has(pid)).map(({ mib }) => mib));
}
