import { openAccount } from '@svc/gateway/keys/open-account';
import { startClients, type Clients } from './clients.ts';
import { gather } from './evidence.ts';
import { violations, type Invariant } from './invariants.ts';
import { SimulatedSystem, type Layout, type Wiring } from './system.ts';

export interface Outcome {
  seed: number;
  /** Hash of the whole journal. */
  digest: string;
  lines: number;
  crashes: number;
  violated: Partial<Record<Invariant, string[]>>;
  /** The last lines of the journal. */
  tail: string;
}

const LIMITS = { plan: 1_000_000, burst: 100_000, submit: 100_000, receipts: 100_000, reports: 100_000 };
const STEP_MS = 1_000;
/** Limit of the phase with faults. */
const MOST_FAULTS_MS = 30_000;
const MOST_MS = 600_000;
/** The system rests when nothing has happened for this long; a claim of a dead process ends after 60 s. */
const QUIET_MS = 65_000;

/** Runs the whole system with faults from one seed, stops the faults, waits for rest and checks the invariants. */
export async function simulate(seed: number, wiring: Wiring = {}, layout: Layout = { replicas: 1 }): Promise<Outcome> {
  const system = new SimulatedSystem(seed, wiring, layout);
  const { clock, journal } = system;
  try {
    await system.begin();
    const apiKey = await prepare(system);
    let isFaulty = true;
    const clients = startClients(system, apiKey, () => (isFaulty ? 0.05 : 0));
    system.startFaults();
    const began = clock.now();
    while (clock.now() - began < MOST_FAULTS_MS && !(clients.done() && system.crashesToCome === 0)) await system.advance(STEP_MS);
    isFaulty = false;
    system.stopFaults();
    await rest(system, clients);
    const evidence = await gather(system, apiKey, clients);
    return {
      seed,
      digest: journal.digest(),
      lines: journal.length,
      crashes: system.crashes,
      violated: violations(evidence),
      tail: journal.tail(60),
    };
  } catch (error) {
    throw new Error(`seed ${seed}: ${String(error)}\n${journal.tail(60)}`, { cause: error });
  } finally {
    system.close();
  }
}

async function prepare(system: SimulatedSystem): Promise<string> {
  const { accounts } = system.process.gateway;
  const actor = { type: 'system', id: 'simulation' } as const;
  const { testKey } = await openAccount(accounts, { name: 'Simulation', plan: 'enterprise', limits: LIMITS }, actor);
  const body = { url: 'https://subscriber.example/hook', events: ['*'], description: 'all' };
  const { status } = await system.request('POST', '/webhooks', { authorization: `Bearer ${testKey}` }, body);
  if (status !== 201) throw new Error(`POST /webhooks answered ${status}`);
  return testKey;
}

/** Waits until nothing has happened for a while. */
async function rest(system: SimulatedSystem, clients: Clients): Promise<void> {
  const { clock, journal } = system;
  const until = clock.now() + MOST_MS;
  for (let quietFor = 0; quietFor < QUIET_MS || !clients.done(); quietFor += STEP_MS) {
    if (clock.now() > until) return;
    const before = journal.length;
    await system.advance(STEP_MS);
    if (journal.length > before) quietFor = 0;
  }
}
