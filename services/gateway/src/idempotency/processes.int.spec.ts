import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { embeddedDocumentStore, type Collection, type Doc, type DocumentStore } from '@svc/document-store';
import { watched } from '@svc/document-store/testing/under-way';
import { Engine } from '@svc/embedded';
import { createIds, FakeClock } from '@svc/kernel';
import { createLogger, newKeyRing, parseKeyRing } from '@svc/service';
import { openProcesses, type Processes } from './processes.ts';
import { idempotencyRows } from './row.ts';
import { createIdempotencyStore, type Begun, type IdempotencyStore } from './store.ts';
import { earlierProcess } from './testing/earlier-process.ts';

const folder = mkdtempSync(join(tmpdir(), 'processes-'));
const engine = Engine.open(folder, { durable: false });
afterAll(() => {
  engine.close();
  rmSync(folder, { recursive: true });
});
const secrets = parseKeyRing(newKeyRing());
const logger = createLogger({ level: 'silent', service: 'test' });

interface Gateway {
  store: IdempotencyStore;
  processes: Processes;
  /** From now on nothing of it reaches the database, as after a kill. */
  kill(): void;
  stop(): Promise<void>;
}

let clock: FakeClock;
let documents: DocumentStore;
let settled: () => Promise<void>;
let databases = 0;
let gateways: Gateway[];
beforeEach(() => {
  clock = new FakeClock();
  databases += 1;
  ({ documents, settled } = watched(embeddedDocumentStore(engine, `db${databases}`)));
  gateways = [];
});
afterEach(async () => {
  for (const { stop } of gateways) await stop();
});
const advance = (ms: number): Promise<void> => clock.advance(ms, settled);

/** Document stores whose calls fail once the process is dead. */
function mortal(): { documents: DocumentStore; kill(): void } {
  let isDead = false;
  const alive = <T>(call: () => Promise<T>): Promise<T> => (isDead ? Promise.reject(new Error('killed')) : call());
  return {
    documents: {
      collection<D extends Doc>(name: string, options?: object): Collection<D> {
        const all = documents.collection<D>(name, options);
        return {
          ...all,
          get: (id) => alive(() => all.get(id)),
          insert: (doc) => alive(() => all.insert(doc)),
          insertFor: (...args) => alive(() => all.insertFor(...args)),
          write: (ops) => alive(() => all.write(ops)),
          claim: (...args) => alive(() => all.claim(...args)),
        };
      },
      unitOfWork: documents.unitOfWork,
    },
    kill: () => void (isDead = true),
  };
}

async function startGateway(): Promise<Gateway> {
  const life = mortal();
  const processes = await openProcesses({ documents: life.documents, clock, ids: createIds(clock), logger });
  const running = processes.work.start();
  const store = createIdempotencyStore({
    ...{ rows: idempotencyRows(life.documents), clock, secrets, processes },
  });
  const gateway = { store, processes, kill: life.kill, stop: () => running.stop() };
  gateways.push(gateway);
  await advance(0);
  return gateway;
}
let commands = 0;
const begin = ({ store }: Pick<Gateway, 'store'>): Promise<Begun> => {
  commands += 1;
  return store.begin({ scope: 'test.acct_1', key: 'k', fingerprint: 'f', command: `c${commands}` });
};
const running = expect.objectContaining({ kind: 'run' });
/** The claim is known to be of another process. */
const inUse = { kind: 'in_use', elsewhere: true };
const inUseSomewhere = { kind: 'in_use' };
/** A gateway of release 0.1.0, whose claims name no process. */
const earlier = (): { store: IdempotencyStore } => ({
  store: createIdempotencyStore({ rows: idempotencyRows(documents), clock, secrets, processes: earlierProcess }),
});

test('five seconds after its process was killed a claim is free: one repeat runs, under the same command', async () => {
  const [first, second, third] = [await startGateway(), await startGateway(), await startGateway()];
  const begun = await begin(first);
  await advance(1_000);
  first.kill();
  await advance(3_500);
  expect(await begin(second)).toEqual(inUse);
  await advance(1_500);
  const repeats = await Promise.all([second, third, second, third].map(begin));
  expect(repeats.map(({ kind }) => kind).toSorted()).toEqual(['in_use', 'in_use', 'in_use', 'run']);
  const again = repeats.find(({ kind }) => kind === 'run');
  expect(again).toMatchObject({ claim: { command: begun.kind === 'run' && begun.claim.command } });
});

test('so is that of a process that was killed when the clock was 20 days ahead, once the clock is set back', async () => {
  const first = await startGateway();
  const begun = await begin(first);
  first.kill();
  clock = new FakeClock(clock.now() - 20 * 24 * 3_600_000);
  const second = await startGateway();
  expect(await begin(second)).toMatchObject({ kind: 'run', claim: { command: begun.kind === 'run' && begun.claim.command } });
});

test('the claim of a process that runs is waited for, however long', async () => {
  const [first, second] = [await startGateway(), await startGateway()];
  expect(await begin(first)).toEqual(running);
  for (let waited = 0; waited < 55; waited += 5) {
    await advance(5_000);
    expect(await begin(second)).toEqual(inUse);
  }
  await advance(5_000);
  expect(await begin(second)).toEqual(running); // the lease of 60 s is over
});

test('a process that was stopped leaves its claims at once, and one that starts has none of an earlier one', async () => {
  const [first, second] = [await startGateway(), await startGateway()];
  await begin(first);
  await first.stop();
  expect(await begin(second)).toEqual(running);
  expect(new Set(gateways.map(({ processes }) => processes.own())).size).toBe(2);
  await second.stop();
  expect(await begin(await startGateway())).toEqual(running);
});

test('a claim that is taken while the lease is not held is waited for until its own lease ends', async () => {
  const [first, second] = [await startGateway(), await startGateway()];
  await first.stop();
  expect(first.processes.own()).toBeUndefined();
  expect(await begin(first)).toEqual(running);
  await advance(30_000);
  expect(await begin(second)).toEqual(inUseSomewhere);
  await advance(30_000);
  expect(await begin(second)).toEqual(running);
});

test('release 0.1.0 beside it: its claims are waited for until their lease ends, also those that it took over', async () => {
  const [old, first, second] = [earlier(), await startGateway(), await startGateway()];
  expect(await begin(old)).toEqual(running);
  await advance(59_000);
  expect(await begin(first)).toEqual(inUseSomewhere);
  await advance(1_000);
  expect(await begin(first)).toEqual(running);
  first.kill();
  await advance(10_000);
  expect(await begin(old)).toEqual(inUse); // it does not read whose the claim is
  await advance(50_000);
  // It takes the claim over and leaves the field of the process before.
  const rows = idempotencyRows(documents);
  const [row] = await Array.fromAsync(rows.find({ due_at: { $gt: 0 } }));
  await rows.claim({ _id: row?._id ?? '', version: row?.version ?? 0 }, { set: { until: clock.now() + 60_000 } });
  await advance(59_000);
  expect(await begin(second)).toEqual(inUseSomewhere);
  await advance(1_000);
  expect(await begin(second)).toEqual(running);
});

test('the response of the run that took over is kept, and the process that was taken for gone does not replace it', async () => {
  const [first, second] = [await startGateway(), await startGateway()];
  const slow = await begin(first);
  await first.stop();
  const fast = await begin(second);
  if (slow.kind !== 'run' || fast.kind !== 'run') throw new Error(`${slow.kind}, ${fast.kind}`);
  const about = { account: 'acct_1', subject: null, secret: 'none' } as const;
  await second.store.keep(fast.claim, { status: 201, headers: {}, body: 'second' }, about);
  await first.store.keep(slow.claim, { status: 201, headers: {}, body: 'first' }, about);
  expect(await begin(first)).toMatchObject({ kind: 'replay', answer: { body: 'second' } });
});

test('leases of processes of long ago are removed by a start', async () => {
  const leases = documents.collection('processes', { indexes: [{ fields: ['until'] }] });
  const first = await startGateway();
  await first.stop();
  expect(await leases.count({})).toBe(1);
  await advance(25 * 3_600_000);
  const { processes } = await startGateway();
  await advance(1_000);
  expect((await Array.fromAsync(leases.find({}))).map(({ _id }) => _id)).toEqual([processes.own()]);
});

test('the claims of a process are free at once for the next one of its name, and for no other', async () => {
  const named = async (holder: string): Promise<{ store: IdempotencyStore }> => {
    const processes = await openProcesses({ documents, clock, ids: createIds(clock), logger, holder });
    return { store: createIdempotencyStore({ rows: idempotencyRows(documents), clock, secrets, processes }) };
  };
  const first = await begin(await named('one'));
  expect(await begin(await named('another'))).toEqual(inUse);
  await advance(1_000);
  const again = await begin(await named('one'));
  expect(again).toMatchObject({ kind: 'run', claim: { command: first.kind === 'run' && first.claim.command } });
});
