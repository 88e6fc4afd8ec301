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
