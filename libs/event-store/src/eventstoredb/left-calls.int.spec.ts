import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { startEmulator } from '@svc/eventstoredb-emulator';
import { createIds, systemClock, type NewEvent } from '@svc/kernel';
import { freePort } from '@svc/kernel/testing/free-port';
import { openEventStoreDb } from './open.ts';

const KIB = 1024;
const MIB = 1024 * KIB;
const STREAM = 'note-test.acct_1.note_1';
const EVENTS = 15;

const ids = createIds(systemClock);
const noted = (): NewEvent => ({
  id: ids.next(),
  type: 'Noted',
  data: { text: 'x'.repeat(240 * KIB) },
  metadata: { v: 1, account: 'acct_1', env: 'test' },
});

const open = async (file: string) => {
  const emulator = await startEmulator({ file, port: await freePort() });
  return { emulator, ...openEventStoreDb({ url: emulator.url, namespace: 'left', clock: systemClock, logger: { warn: () => undefined } }) };
};
let folder: string;
let opened: Awaited<ReturnType<typeof open>>;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'eventstoredb-'));
  opened = await open(join(folder, 'events.log'));
  for (let n = 0; n < EVENTS; n += 1) await opened.store.append(STREAM, n === 0 ? 'none' : BigInt(n - 1), [noted()]);
});
afterAll(async () => {
  await opened.close();
  await opened.emulator.close();
  await rm(folder, { recursive: true });
});

/** Bytes of buffers that are still referenced. Collects no more often than it must: a collection takes seconds where other tests have filled the heap. */
async function bytesHeld(enough: number): Promise<number> {
  setFlagsFromString('--expose-gc');
  const gc = runInNewContext('gc') as () => void;
  let held = Infinity;
  for (let n = 0; n < 3 && held >= enough; n += 1) {
    gc();
    await new Promise((resolve) => setTimeout(resolve, 100));
    held = process.memoryUsage().arrayBuffers;
  }
  return held;
}

test('reads and subscriptions that end before what the server has sent is read leave nothing in memory', async () => {
  const { store } = opened;
  const leave = async (times: number): Promise<void> => {
    for (let n = 0; n < times; n += 1) {
      for (let from = 0n; from < EVENTS; from += 1n) expect(await store.read(STREAM, from, 100, 64 * KIB)).toHaveLength(1);
      await new Promise<void>((resolve, reject) => {
        const stop = store.subscribe('start', async () => void stop().then(resolve, reject));
      });
    }
  };
  await leave(2);
  const before = await bytesHeld(0);
  await leave(10);
  expect((await bytesHeld(before + MIB)) - before).toBeLessThan(MIB);
}, 120_000);
