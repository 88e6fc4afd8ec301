import { execFileSync } from 'node:child_process';
import { eventually, startSystem, type System } from '@svc/testkit';
import { checkedClient } from './testing/checked-client.ts';

let system: System;
beforeAll(async () => {
  system = await startSystem({ LOG_LEVEL: 'error' });
});
afterAll(() => system?.stop());

/** Simulates a full disk by the kernel's limit of file sizes. */
const room = (bytes: 'unlimited' | 1): void => {
  execFileSync('prlimit', ['--pid', String(system.pid), `--fsize=${bytes}:unlimited`]);
};
const ready = async (): Promise<[number, string | undefined]> => {
  const answer = await fetch(`${system.ops}/readyz`);
  return [answer.status, ((await answer.json()) as { checks: Record<string, string> }).checks['data folder']];
};

test('on a full disk answers writes with 503, names the reason in /readyz and keeps acknowledged data; continues without a restart when there is room', async () => {
  const call: ReturnType<typeof checkedClient> = (...request) => checkedClient(system.url, system.setup.test_key)(...request);
  const create = (name: string) => call<{ id: string; name: string }>('POST', '/customers', { body: { name } });
  const before = await create('Before');
  expect(before.status).toBe(201);

  room(1);
  const refused = await Promise.all(['a', 'b', 'c'].map(create));
  expect(refused.map(({ status }) => status)).toEqual([503, 503, 503]);
  expect(await ready()).toEqual([503, expect.stringMatching(/disk/)]);
  expect((await fetch(`${system.ops}/healthz`)).status).toBe(200);

  room('unlimited');
  await eventually(async () => (await ready())[0] === 200, 'room is seen');
  const after = await create('After');
  expect(after.status).toBe(201);
  const { data } = (await call<{ data: { name: string }[] }>('GET', '/customers')).body;
  expect(data.map(({ name }) => name).sort()).toEqual(['After', 'Before']);
  expect(system.output()).toMatch(/the data folder .* is on a disk/);
  expect(system.output()).not.toMatch(/request failed/);
});

test('lists are answered as of their last state, and say of when it is, until there is space', async () => {
  const call: ReturnType<typeof checkedClient> = (...request) => checkedClient(system.url, system.setup.test_key)(...request);
  const { id } = (await call<{ id: string }>('POST', '/customers', { body: { name: 'Busy' } })).body;
  const items = [{ description: 'Tea', unit_price: 3 }];
  const stored: string[] = [];
  let isFull = false;
  /** Until the first of them is refused, so that the last stored events may lack their rows. */
  const write = async (): Promise<void> => {
    while (!isFull) {
      const { status, body } = await call<{ id: string }>('POST', '/invoices', { body: { customer_id: id, items } });
      if (status !== 201) return;
      stored.push(body.id);
    }
  };
  const writing = Promise.all([write(), write(), write(), write()]);
  await eventually(() => stored.length > 10, 'invoices');
  room(1);
  isFull = true;
  await writing;

  const listed = await call<{ data: { id: string }[]; meta: { total: number } }>('GET', '/invoices', { query: { per_page: '100' } });
  expect(listed.status).toBe(200);
  const asOf = listed.headers.get('svc-as-of');
  if (asOf === null) expect(listed.body.meta.total).toBe(stored.length);
  else expect(listed.body.meta.total).toBeLessThanOrEqual(stored.length);
  for (const path of ['/customers', '/products', '/receipts', '/invoices?q=Busy']) expect((await call('GET', path)).status).toBe(200);

  room('unlimited');
  await eventually(async () => (await ready())[0] === 200, 'space is seen');
  const { body, headers } = await call<{ data: { id: string }[] }>('GET', '/invoices', {
    query: { per_page: '100', ...(asOf && { created_from: asOf }) },
  });
  expect(headers.get('svc-as-of')).toBeNull();
  expect(new Set([...body.data, ...listed.body.data].map((one) => one.id))).toEqual(new Set(stored));
});
