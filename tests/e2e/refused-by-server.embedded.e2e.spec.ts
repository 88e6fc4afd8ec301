import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmulator, type Emulator } from '@svc/eventstoredb-emulator';
import { eventually, startSystem, type System } from '@svc/testkit';
import { checkedClient } from './testing/checked-client.ts';

let folder: string;
let store: Emulator;
let system: System;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'refused-'));
  store = await startEmulator({ file: join(folder, 'events.log') });
  system = await startSystem({ EVENT_STORE_URL: store.url.replace('esdb://', 'esdb://invoicing:hunter2@'), LOG_LEVEL: 'info' });
});
afterAll(async () => {
  await system?.stop();
  await store?.close();
  rmSync(folder, { recursive: true });
});

test.each([
  [7, /does not let the user invoicing write to streams/],
  [16, /does not accept the user invoicing/],
] as const)('treats an event store that answers %i as an outage that its log line explains and that ends by itself', async (code, line) => {
  const call: ReturnType<typeof checkedClient> = (...request) => checkedClient(system.url, system.setup.test_key)(...request);
  const create = (name: string) => call<{ id: string }>('POST', '/customers', { body: { name } });
  const ready = async (): Promise<[number, string]> => {
    const answer = await fetch(`${system.ops}/readyz`);
    return [answer.status, await answer.text()];
  };
  const { id } = (await create('Before')).body;

  store.refuse(code);
  // When it is under way while the server ends the call of earlier appends, its outcome is unknown: outcome_unknown.
  expect([500, 503]).toContain((await create('Perhaps')).status);
  for (let n = 0; n < 5; n += 1) {
    const refused = await create('Refused');
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1']);
    expect((await call('PATCH', `/customers/${id}`, { body: { name: 'Refused' } })).status).toBe(503);
  }
  expect(await ready()).toEqual([503, expect.stringContaining('the user invoicing')]);

  store.refuse(undefined);
  await eventually(async () => (await ready())[0] === 200, 'it is back');
  expect((await create('After')).status).toBe(201);
  const names = (await call<{ data: { name: string }[] }>('GET', '/customers?per_page=100')).body.data.map(({ name }) => name);
  expect(names).not.toContain('Refused');
  const lines = system.output().split('\n');
  expect(lines.filter((one) => line.test(one) && one.includes('"server":"EventStoreDB"'))).toHaveLength(1);
  expect(lines.filter((one) => one.includes('"stack"') && !one.includes('"code":"outcome_unknown"'))).toEqual([]);
  expect(lines.filter((one) => one.includes('hunter2'))).toEqual([]);
});
