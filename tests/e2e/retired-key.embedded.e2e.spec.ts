import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { client, runProgram, startSystem, type System } from '@svc/testkit';
import { checkedClient } from './testing/checked-client.ts';

let system: System;
beforeAll(async () => {
  system = await startSystem();
});
afterAll(() => system?.stop());

const folder = (): string => join(system.dataDir, 'data');
async function svc(...args: string[]): Promise<Record<string, unknown>> {
  const env = { DATA_DIR: folder(), OPS_PORT: new URL(system.ops).port };
  const { code, output } = await runProgram({ file: 'services/standalone/dist/bundle/svc.mjs', args: ['admin', 'secrets', ...args], env });
  expect([args, code, output]).toEqual([args, 0, expect.anything()]);
  return JSON.parse(output) as Record<string, unknown>;
}

test('a key is retired while the process serves, with a kill -9 in between: everything is read with the new one alone', async () => {
  const call: ReturnType<typeof checkedClient> = (...request) => checkedClient(system.url, system.setup.test_key)(...request);
  const names = Array.from({ length: 60 }, (_, n) => `Customer ${n}`);
  for (const name of names) await call('POST', '/customers', { body: { name, email: `${name.replace(' ', '.')}@example.com` } });
  const { rootKey: old } = JSON.parse(readFileSync(join(folder(), 'secrets.json'), 'utf8')) as { rootKey: string };

  expect(await svc('rotate')).toEqual({ newest: 'v2' });
  await client(`${system.ops}/admin`, system.setup.admin_token)('POST', '/secrets/reencrypt');
  await system.kill('SIGKILL');
  system = await system.restart();
  await call('POST', '/customers', { body: { name: 'Late' } });
  const [{ changed }] = await Promise.all([svc('reencrypt'), call('GET', '/customers')]);
  expect(changed).toBeGreaterThanOrEqual(0);
  expect(await svc('status')).toMatchObject({ older: 0, unreadable: 0 });
  expect(await svc('retire')).toMatchObject({ retired: ['v1'] });
  expect(readFileSync(join(folder(), 'secrets.json'), 'utf8')).not.toContain(old.slice(3));

  await system.kill('SIGTERM');
  system = await system.restart();
  const { data } = (await call<{ data: { name: string; email: string | null }[] }>('GET', '/customers', { query: { per_page: '100' } }))
    .body;
  expect(data.map(({ name }) => name).sort()).toEqual([...names, 'Late'].sort());
  expect(data.filter(({ email }) => email === null)).toHaveLength(1);
});
