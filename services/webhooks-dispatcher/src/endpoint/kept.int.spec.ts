import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Engine } from '@svc/embedded';
import { rowsOn, shopEndpoint } from '../delivery/testing/rows.ts';
import type { Endpoint, Endpoints } from './endpoint.ts';
import { keptEndpoints } from './kept.ts';

let folder: string;
let engine: Engine;
let stored: Endpoints;
let endpoints: Endpoints;
let reads: string[];
/** Reads end after it. */
let held: Promise<unknown> | undefined;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'svc-kept-'));
  engine = Engine.open(folder, { durable: false });
  [reads, held] = [[], undefined];
  stored = rowsOn(engine).endpoints;
  endpoints = keptEndpoints({
    ...stored,
    async get(id) {
      reads.push(id);
      const found = await stored.get(id);
      await held;
      return found;
    },
  });
});
afterEach(() => {
  engine.close();
  rmSync(folder, { recursive: true });
});

const statusOf = async (id = 'we_1') => (await endpoints.get(id))?.status;

test('an endpoint is read once until this process writes one', async () => {
  await endpoints.insert(shopEndpoint());
  expect([await statusOf(), await statusOf()]).toEqual(['enabled', 'enabled']);
  expect(reads).toEqual(['we_1']);
  await endpoints.insert({ ...shopEndpoint(), _id: 'we_2', place: 'q' });
  expect([await statusOf(), await statusOf()]).toEqual(['enabled', 'enabled']);
  expect(reads).toEqual(['we_1', 'we_1']);
});

test('one that does not exist yet is found once it is created', async () => {
  expect(await statusOf()).toBeUndefined();
  await endpoints.insert(shopEndpoint());
  expect(await statusOf()).toBe('enabled');
});

const disabled = { status: 'disabled' } satisfies Partial<Endpoint>;
test.each([
  ['claim', () => endpoints.claim({ _id: 'we_1' }, { set: disabled })],
  ['write', () => endpoints.write([{ put: { ...shopEndpoint(), ...disabled, version: 2 } }])],
])('every read after an answered %s sees it, also where an earlier read is under way', async (_, write) => {
  await endpoints.insert(shopEndpoint());
  await statusOf();
  await write();
  expect(await statusOf()).toBe('disabled');

  await endpoints.claim({ _id: 'we_1' }, { set: { status: 'enabled' } });
  const { promise, resolve } = Promise.withResolvers<void>();
  held = promise;
  const before = statusOf();
  await endpoints.claim({ _id: 'we_1' }, { set: disabled });
  resolve();
  held = undefined;
  expect([await before, await statusOf()]).toEqual(['enabled', 'disabled']);
});

test('a read that begins during a write is not kept', async () => {
  await endpoints.insert(shopEndpoint());
  const writing = endpoints.claim({ _id: 'we_1' }, { set: disabled });
  expect(await statusOf()).toBe('enabled');
  await writing;
  expect(await statusOf()).toBe('disabled');
});

test('a write that fails is answered with its error, and what is stored is read', async () => {
  await endpoints.insert(shopEndpoint());
  const failed = endpoints.claim({ _id: 'we_1' }, { set: disabled });
  const spoiled = engine.write((db) => db.sql('ROLLBACK').run()).catch(() => 'spoiled');
  await expect(failed).rejects.toThrow();
  expect([await spoiled, await statusOf()]).toEqual(['spoiled', 'enabled']);
});
