import { readdirSync, readFileSync } from 'node:fs';
import { client, startReceiver, startSystem, type Call, type System } from '@svc/testkit';
import { HUGE, openAccount } from '../../e2e/testing/accounts.ts';

/** A new system with an attacking account and a victim account. */
export interface AttackFixture {
  system: System;
  attacker: { call: Call; key: string; liveKey: string; customer: string };
  victim: { call: Call; customer: string };
  /** Resident memory of the system's largest process, MiB. */
  memory(): number;
  /**
   * Runs the attack and, until it ends, typical requests of the victim, after the same without it. Fails when a request or webhook of the victim is too slow, or
   * memory exceeds the limit.
   */
  during(attack: () => Promise<void>): Promise<Victim>;
  close(): Promise<void>;
}

/** The victim's measurements, in milliseconds. */
export interface Victim {
  requests: number;
  slowest: { what: string; ms: number };
  webhooks: number;
  slowestWebhook: number;
  /** MiB. */
  mostMemory: number;
}

const REQUEST_MS = 1_000;
const WEBHOOK_MS = 5_000;
const MOST_MIB = 1_024;
const PAUSE_MS = 200;
/** Of the control, which is repeated so often where it is too slow. */
const CONTROL_MS = 3_000;
const CONTROLS = 5;

/** `storage`: bytes; by default those of the plan. */
type Limits = Partial<typeof HUGE> & { storage?: number };

export async function openAttack({
  limits = HUGE,
  env = {},
}: { limits?: Limits; env?: Record<string, string> } = {}): Promise<AttackFixture> {
  const hook = await startReceiver();
  const system = await startSystem({ ...env, WEBHOOKS_ALLOW: [hook.origin, env['WEBHOOKS_ALLOW']].filter(Boolean).join() });
  const account = async (name: string, given: Limits) => {
    const { testKey: key, liveKey } = await openAccount(system, name, { onAnswer: () => undefined, limits: given });
    const call = client(`${system.url}/v1`, key);
    const { body } = await call<{ id: string }>('POST', '/customers', { body: { name: `Customer of ${name}` } });
    return { call, key, liveKey, customer: body.id };
  };
  const [attacker, victim] = [await account('Attacker', limits), await account('Victim', HUGE)];
  await victim.call('POST', '/webhooks', { body: { url: `${hook.origin}/hook`, events: ['*'], description: 'all' } });
  const memory = (): number => memoryOf(system);

  async function measured(isOver: () => boolean): Promise<Victim> {
    const seen: Victim = { requests: 0, slowest: { what: '', ms: 0 }, webhooks: 0, slowestWebhook: 0, mostMemory: 0 };
    const asked = async (what: string, ok: number, work: () => ReturnType<Call>) => {
      const started = performance.now();
      const answer = await work();
      const ms = performance.now() - started;
      if (answer.status !== ok) throw new Error(`the victim's ${what} answered ${answer.status} ${answer.text}`);
      seen.requests += 1;
      if (ms > seen.slowest.ms) seen.slowest = { what, ms };
      return answer;
    };
    const waiting = new Map<string, number>();
    while (!isOver() || waiting.size > 0) {
      const body = { customer_id: victim.customer, items: [{ description: 'Coffee', unit_price: 3 }] };
      const made = await asked('POST /invoices', 201, () => victim.call('POST', '/invoices', { body }));
      const { id } = made.body as { id: string };
      waiting.set(id, Date.now());
      await asked('GET /invoices/{id}', 200, () => victim.call('GET', `/invoices/${id}`));
      const list = await asked('GET /invoices', 200, () => victim.call('GET', '/invoices'));
      if ((list.body as { data: { id: string }[] }).data[0]?.id !== id) throw new Error("the victim's list misses its newest invoice");
      for (const { at, body: event } of hook.deliveries.splice(0)) {
        const since = waiting.get(event.data.id);
        if (since === undefined) continue;
        waiting.delete(event.data.id);
        seen.webhooks += 1;
        seen.slowestWebhook = Math.max(seen.slowestWebhook, at - since);
      }
      const oldest = Math.min(...waiting.values());
      if (Date.now() - oldest > 60_000) throw new Error('a webhook of the victim has not come for a minute');
      seen.mostMemory = Math.max(seen.mostMemory, memory());
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
    return seen;
  }

  /** The control: the victim's requests alone, until a machine that others have kept busy, or a system that has just started, answers them fast enough. */
  async function untilFast(): Promise<void> {
    for (let n = 1; ; n += 1) {
      const until = Date.now() + CONTROL_MS;
      const { slowest } = await measured(() => Date.now() > until);
      if (slowest.ms <= REQUEST_MS / 3) return;
      console.log(JSON.stringify({ repeated: 'without an attack the machine is too slow for the deadline', slowest }));
      if (n === CONTROLS) return;
    }
  }

  return {
    system,
    attacker,
    victim,
    memory,
    async during(attack) {
      await untilFast();
      let over = false;
      const attacking = attack().finally(() => (over = true));
      const [seen] = await Promise.all([measured(() => over), attacking]);
      console.log(JSON.stringify(seen));
      expect(seen.requests).toBeGreaterThan(10);
      expect(seen.slowest.ms).toBeLessThanOrEqual(REQUEST_MS);
      expect(seen.slowestWebhook).toBeLessThanOrEqual(WEBHOOK_MS);
      expect(seen.mostMemory).toBeLessThanOrEqual(MOST_MIB);
      return seen;
    },
    async close() {
      await system.stop();
      await hook.close();
    },
  };
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
