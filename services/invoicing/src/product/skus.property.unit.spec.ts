import { NetworkModel } from '@svc/event-store/testing/network-model';
import { Conflict, createIds, DomainError, invalid, notFound, OutcomeUnknown, type Ids, type Recorded, type Uid } from '@svc/kernel';
import { seeded } from '@svc/kernel/testing/seeded';
import { decide, type ProductCommand } from './domain/decide.ts';
import { evolve } from './domain/evolve.ts';
import { holdsSku, type ProductState } from './domain/state.ts';
import { createProducts, productEvents, productStream } from './products.ts';

const SEEDS = Array.from({ length: 300 }, (_, n) => n + 1);
const SKUS = ['A', 'B'];
const PRODUCTS = Array.from({ length: 6 }, (_, n) => `prod_01jh2k3m4n5p6q7r8s9t0v1w2${n}`);
const PROCESSES = 3;
const CRASHES = 6;
const account = 'acct_1';
const tenant = { account, env: 'test' as const };
const at = '2026-01-15T12:00:00.000Z';
const streamOf = (id: string): string => productStream(account, 'test', id);

interface Task {
  id: string;
  command: ProductCommand;
  command_id: Uid;
}
/** Carries out one command, in a process with its own memory. */
type Run = (task: Task) => Promise<unknown>;
type MakeProcess = (model: NetworkModel, process: number, parts: { ids: Ids; random: () => number }) => Run;

/** Some commands end, or stand still for seconds, between a claim and what it was made for. */
const built: MakeProcess = (model, process, { ids, random }) => {
  const [streams, clock] = [model.connect(process), model.clock(process)];
  const append: typeof streams.append = async (stream, ...rest) => {
    const appended = await streams.append(stream, ...rest);
    const chance = model.isFaulty && stream.startsWith('sku-') ? random() : 1;
    if (chance < 0.35) await new Promise(() => {});
    if (chance < 0.7) await clock.sleep(random() * 10_000);
    return appended;
  };
  const products = createProducts({ store: { ...streams, append }, ids, clock });
  return ({ id, command, command_id }) =>
    products.handle(
      { ...tenant, id },
      (state) => {
        if (state === null && command.type !== 'create') throw notFound('product');
        return command;
      },
      { ...tenant, command_id },
    );
};

const stateOf = (events: readonly Recorded[]): ProductState | null =>
  events.map(productEvents.decode).reduce(evolve, null as ProductState | null);

/** A wrong variant, which looks for another product with the SKU before it writes, and claims nothing. */
const looking: MakeProcess = (model, process, { ids }) => {
  const streams = model.connect(process);
  return async ({ id, command, command_id }) => {
    const stored = await streams.read(streamOf(id));
    const before = stateOf(stored);
    if (before === null && command.type !== 'create') throw notFound('product');
    const events = decide(command, before);
    const { sku = null } = events.reduce(evolve, before) ?? {};
    for (const other of PRODUCTS) {
      const holder = other === id || sku === null ? null : stateOf(await streams.read(streamOf(other)));
      if (sku !== null && holdsSku(holder, sku)) throw invalid({ sku: ['is taken'] });
    }
    const metadata = { ...tenant, v: 1, command_id };
    const next = events.map((event) => ({ id: ids.next(), ...event, metadata }));
    if (next.length > 0) await streams.append(streamOf(id), stored.at(-1)?.revision ?? 'none', next);
  };
};

/** Repeats, as callers and the gateway do. */
async function drive(run: Run, task: Task): Promise<string> {
  for (let tries = 0; tries < 50; tries += 1) {
    try {
      await run(task);
      return 'done';
    } catch (error) {
      if (error instanceof DomainError && error.code !== 'service_unavailable') return error.code;
      if (!(error instanceof OutcomeUnknown || error instanceof Conflict || error instanceof DomainError)) throw error;
    }
  }
  throw new Error('no end');
}

/**
 * Three processes create, change and delete products that want the same two SKUs, over a network with faults. Some crash at any point; of what they
 * were doing, some commands are repeated by another process and some never are.
 */
async function simulate(seed: number, make: MakeProcess) {
  const random = seeded(seed);
  const model = new NetworkModel(random);
  const bytes = seeded(seed + 1_000_000);
  const ids = createIds({ now: () => 1_768_478_400_000 }, (size) => Uint8Array.from({ length: size }, () => bytes() * 256));
  const oneOf = <Value>(values: readonly Value[]): Value => values[Math.floor(random() * values.length)] as Value;
  const skuOrNone = (): string | null => oneOf([...SKUS, ...SKUS, null]);
  const command = (id: string): ProductCommand =>
    oneOf<() => ProductCommand>([
      () => ({ type: 'create', at, id, livemode: false, body: { name: 'x', sku: oneOf(SKUS) } }),
      () => ({ type: 'update', at, body: { sku: skuOrNone() } }),
      () => ({ type: 'update', at, body: { sku: oneOf(SKUS), active: random() < 0.5 } }),
      () => ({ type: 'delete', at }),
    ])();
  const creations = PRODUCTS.map((id): Task => {
    const body = { name: 'x', sku: oneOf(SKUS) };
    return { id, command: { type: 'create', at, id, livemode: false, body }, command_id: ids.next() };
  });
  const changes = Array.from({ length: 18 }, (): Task => {
    const id = oneOf(PRODUCTS);
    return { id, command: command(id), command_id: ids.next() };
  });
  const done = new Set<Uid>();
  let processes = 0;

  function start(tasks: Task[]): number {
    const process = (processes += 1);
    const run = make(model, process, { ids, random });
    for (const task of tasks) {
      const wait = Math.floor(random() * 3) * Math.floor(random() * 10_000);
      void model
        .clock(process)
        .sleep(wait)
        .then(() => drive(run, task))
        .then((result) => result === 'done' && done.add(task.command_id));
    }
    return process;
  }

  const some = (): Task[] => [...creations, ...changes].filter(() => random() < 0.4);
  const living = Array.from({ length: PROCESSES }, some).map(start);
  for (let crashes = 0; crashes < CRASHES; crashes += 1) {
    await model.run(() => random() < 0.01);
    const [victim] = living.splice(Math.floor(random() * living.length), 1);
    model.kill(victim as number);
    living.push(start(some()));
  }
  await runOut(model);
  model.isFaulty = false;
  return { model, done, run: make(model, processes + 1, { ids, random }), ids };
}

const eventsOf = (model: NetworkModel): Recorded[] =>
  PRODUCTS.flatMap((id) => model.stored(streamOf(id))).sort((a, b) => Number(a.position - b.position));

/** SKUs that two products had at the same time, in the order in which the store has the events. */
function doubles(model: NetworkModel): string[] {
  const states = new Map<string, ProductState | null>();
  return eventsOf(model).flatMap((recorded) => {
    states.set(recorded.stream, evolve(states.get(recorded.stream) ?? null, productEvents.decode(recorded)));
    return SKUS.filter((sku) => [...states.values()].filter((state) => holdsSku(state, sku)).length > 1);
  });
}

/** Runs until nothing happens any more: work may wait for turns of the event loop between two messages. */
async function runOut(model: NetworkModel): Promise<void> {
  for (let n = 0; n < 100; n += 1) await model.run();
}

async function finished<Value>(model: NetworkModel, work: Promise<Value>): Promise<Value> {
  const [value] = await Promise.all([work, runOut(model)]);
  return value;
}

describe('SKUs across lost requests, lost replies, late appends, stale reads and crashes', () => {
  test('no two products have one at the same time, and a free one can be had (300 seeds)', async () => {
    const seen = new Map<string, number>();
    for (const seed of SEEDS) {
      const { model, done, run, ids } = await simulate(seed, built);
      try {
        expect(doubles(model)).toEqual([]);
        for (const { type } of eventsOf(model)) seen.set(type, (seen.get(type) ?? 0) + 1);
        expect(done.size).toBeGreaterThan(0);
        for (const id of PRODUCTS) {
          if (stateOf(model.stored(streamOf(id))) === null) continue;
          expect(await finished(model, drive(run, { id, command: { type: 'delete', at }, command_id: ids.next() }))).toBe('done');
        }
        for (const sku of SKUS) {
          const [command_id, id] = [ids.next(), `prod_${ids.next()}`];
          const command: ProductCommand = { type: 'create', at, id, livemode: false, body: { name: 'x', sku } };
          expect(await finished(model, drive(run, { id, command, command_id }))).toBe('done');
        }
      } catch (error) {
        throw new Error(`seed ${seed}`, { cause: error });
      }
    }
    for (const type of Object.keys(productEvents.versions)) expect([type, (seen.get(type) ?? 0) > 50]).toEqual([type, true]);
  }, 120_000);

  test('the model finds two products with one SKU of the wrong variant, which looks before it writes (300 seeds)', async () => {
    let found = 0;
    for (const seed of SEEDS) if (doubles((await simulate(seed, looking)).model).length > 0) found += 1;
    expect(found).toBeGreaterThanOrEqual(200);
  }, 120_000);
});
