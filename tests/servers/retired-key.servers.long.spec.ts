import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { client, runProgram, startProcesses, type Processes, type Replica } from '@svc/testkit';
import { HUGE } from '../e2e/testing/accounts.ts';
import { everything, sleep, untilAnswered } from '../e2e/testing/retrying-client.ts';
import { certificate } from '../e2e/testing/tour.ts';
import { openAccountOf } from './testing/account.ts';

const ENCRYPTING = ['gateway', 'invoicing', 'fiscal-submission', 'webhooks-dispatcher'];
const OPS_TOKEN = 'a-token-for-operators-of-keys-0123456789';
const key = (): string => randomBytes(32).toString('base64');
const keys = new Map(ENCRYPTING.map((service) => [service, { old: key(), new: key() }]));

const folder = mkdtempSync(join(tmpdir(), 'svc-keys-'));
/** Gives each service a ring of its own; its processes read it when they start. */
function give(ringOf: (of: { old: string; new: string }) => string): void {
  for (const [service, of] of keys) writeFileSync(join(folder, service), ringOf(of));
}

let system: Processes;
beforeAll(async () => {
  give(({ old }) => `v1:${old}`);
  const envOf = (service: string): Record<string, string> =>
    keys.has(service) ? { SECRETS_KEY: '', SECRETS_KEY_FILE: join(folder, service) } : {};
  system = await startProcesses({ replicas: 2, env: { OPS_TOKEN }, envOf });
});
afterAll(async () => {
  await system?.stop();
  rmSync(folder, { recursive: true });
});

const replicaOf = (service: string, n: number): Replica => system.replicasOf(service)[n] as Replica;

/** One replica of each service after the other, as rollouts do. */
async function restart(): Promise<void> {
  for (const n of [0, 1])
    await Promise.all(
      ENCRYPTING.map(async (service) => {
        await replicaOf(service, n).stop('SIGTERM');
        await replicaOf(service, n).start();
      }),
    );
}

async function svc({ service, ops }: Replica, command: string): Promise<Record<string, unknown>> {
  const env = { OPS_PORT: new URL(ops).port, OPS_TOKEN };
  const file = `services/${service}/dist/bundle/svc.mjs`;
  const { code, output } = await runProgram({ file, args: ['admin', 'secrets', command], env });
  expect([service, command, code, output]).toEqual([service, command, 0, expect.anything()]);
  return JSON.parse(output) as Record<string, unknown>;
}

test('each service gets another key while all serve, with a kill -9 in between: everything is read with the new one alone', async () => {
  const { test_key } = await openAccountOf(system, 'Keys', HUGE);
  const calls = system.gateways.map((origin) => client(`${origin}/v1`, test_key));
  const [call] = calls as [(typeof calls)[number]];
  const hook = await call('POST', '/webhooks', { body: { url: 'https://hooks.example.com', events: ['*'], description: 'all' } });
  const file = await call('PUT', '/fiscal-credentials', { body: { certificate: certificate(), passphrase: 'test-only' } });
  expect([hook.status, file.status]).toEqual([201, 200]);
  const names: string[] = [];
  let isOver = false;
  const load = (async () => {
    for (; !isOver; await sleep(100)) {
      const name = `Customer ${names.length}`;
      const { status, text } = await untilAnswered(calls, '/customers', { name }, name.replace(' ', '-'));
      expect([status, text]).toEqual([201, expect.anything()]);
      names.push(name);
    }
  })();

  try {
    give((of) => `v1:${of.new},v2:${of.old}`);
    await restart();
    give((of) => `v2:${of.old},v3:${of.new}`);
    await restart();
    for (const service of ENCRYPTING) {
      const [first, other] = [replicaOf(service, 0), replicaOf(service, 1)];
      expect([service, (await svc(first, 'status'))['older']]).toEqual([service, expect.any(Number)]);
      await client(`${first.ops}/admin`, OPS_TOKEN)('POST', '/secrets/reencrypt');
      await first.stop('SIGKILL');
      await svc(other, 'reencrypt');
      expect([service, await svc(other, 'status')]).toEqual([service, expect.objectContaining({ older: 0, unreadable: 0 })]);
      await first.start();
    }
    give((of) => `v3:${of.new}`);
    await restart();
  } finally {
    isOver = true;
    await load;
  }

  for (const service of ENCRYPTING) {
    const { newest, older, unreadable } = await svc(replicaOf(service, 0), 'status');
    expect([service, newest, older, unreadable]).toEqual([service, expect.any(Number), 0, 0]);
    expect([service, Number(newest) > 0]).toEqual([service, true]);
  }
  const customers = await everything<{ name: string | null }>(call, '/customers');
  expect(customers.map(({ name }) => name).sort()).toEqual(names.sort());
});
