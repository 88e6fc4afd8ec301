import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { status } from '@grpc/grpc-js';
import { startEmulator, type Emulator } from '@svc/eventstoredb-emulator';
import { createIds, Denied, systemClock, type NewEvent, type Recorded } from '@svc/kernel';
import { until } from '@svc/kernel/testing/until';
import { openEventStoreDb } from './open.ts';

const ids = createIds(systemClock);
const event = (): NewEvent => ({ id: ids.next(), type: 'Happened', data: {}, metadata: { v: 1, account: 'acct_1', env: 'test' } });
const newStream = (): string => `invoice-test.acct_1.${ids.next()}`;

let folder: string;
let server: Emulator;
let opened: ReturnType<typeof openEventStoreDb>;
let got: Recorded[];
let warned: { reason: string }[];
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'eventstoredb-'));
  server = await startEmulator({ file: join(folder, 'events.log') });
  warned = [];
  const logger = { warn: (fields: object) => void warned.push(fields as { reason: string }) };
  const url = server.url.replace('esdb://', 'esdb://invoicing:p%40ss@');
  opened = openEventStoreDb({ url, namespace: 'denied', clock: systemClock, logger });
  got = [];
  opened.store.subscribe('start', async ({ events }) => void got.push(...events));
});
afterEach(async () => {
  await opened.close();
  await server.close();
  await rm(folder, { recursive: true });
});

const { PERMISSION_DENIED, UNAUTHENTICATED } = status;
const deniedBy = async (work: Promise<unknown>) => {
  const startedAt = systemClock.now();
  const error: unknown = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(Denied);
  expect(systemClock.now() - startedAt).toBeLessThan(2_000); // it is not retried as for a server that does not answer
  return (error as Denied).denial;
};

describe('an EventStoreDB that denies its user', () => {
  test.each([
    [PERMISSION_DENIED, { read: 'read streams', append: 'write to streams', head: 'read $all' }],
    [UNAUTHENTICATED, { read: null, append: null, head: null }],
  ] as const)(
    'with %i is unavailable: nothing is done, the error names right and user, and it recovers by itself',
    async (code, rights) => {
      const { store, check } = opened;
      const [stream, other] = [newStream(), newStream()];
      await store.append(stream, 'none', [event()]);
      await until(() => got.length === 1);

      server.refuse(code);
      const of = (right: string | null) => ({ server: 'EventStoreDB', user: 'invoicing', right, code });
      expect(await deniedBy(store.read(stream))).toEqual(of(rights.read));
      expect(await deniedBy(store.head())).toEqual(of(rights.head));
      expect(await deniedBy(store.append(other, 'none', [event()]))).toEqual(of(rights.append));
      const why = String(await check());
      expect(why).toContain('the user invoicing');
      await until(() => warned.length > 0);
      expect(warned[0]?.reason).toBe(why);
      expect(why + JSON.stringify(warned)).not.toContain('p@ss');

      server.refuse(undefined);
      expect(await check()).toBe(true);
      expect(await store.read(other)).toEqual([]);
      await store.append(other, 'none', [event()]);
      expect(await store.read(stream)).toHaveLength(1);
      await until(() => got.length === 2);
    },
  );
});
