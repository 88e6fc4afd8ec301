import { readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { client, eventually, freePorts, root, startProgram, untilReady, type Program } from '@svc/testkit';
import { releaseBuild } from '../servers/testing/release-build.ts';
import { frozenFolder } from './testing/frozen-folders.ts';

// until 0.3

interface Invoice {
  id: string;
  status: string;
  number: string | null;
}

const OPS_TOKEN = 'ops-token-of-thirty-two-characters';
const folder = frozenFolder('data-folder-v1');
const data = join(folder, 'data');
const { test_key: key } = JSON.parse(readFileSync(join(folder, 'setup.json'), 'utf8')) as { test_key: string };
let program: Program | undefined;
afterAll(async () => {
  await program?.kill();
  rmSync(folder, { recursive: true, force: true });
});

/** The one process of a build on the folder. */
async function started(build: string) {
  const ports = await freePorts();
  const { PORT, OPS_PORT } = ports;
  const env = { ...ports, DATA_DIR: data, LOG_LEVEL: 'info', AUTHORITY_PACE: 'fast', OPS_TOKEN };
  const running = startProgram('services/standalone/dist/start.mjs', { env, folder: build });
  program = running;
  await untilReady(`http://127.0.0.1:${OPS_PORT}/readyz`, running);
  const call = client(`http://127.0.0.1:${PORT}/v1`, key);
  return {
    output: running.output,
    stop: () => running.kill('SIGTERM'),
    list: async () => (await call<{ data: Invoice[] }>('GET', '/invoices?per_page=100')).body.data,
    async draft() {
      const { id } = (await call<{ id: string }>('POST', '/customers', { body: { name: 'Blue Door Books' } })).body;
      const body = { customer_id: id, items: [{ description: 'Tea', unit_price: 3 }] };
      return (await call<Invoice>('POST', '/invoices', { body })).body;
    },
    submit: (id: string) => call<Invoice>('POST', `/invoices/${id}/submit`, { headers: { prefer: 'wait=15' } }),
    async svc(...args: string[]) {
      const command = startProgram('services/standalone/dist/bundle/svc.mjs', { args: ['admin', ...args], env, folder: build });
      expect([await command.exit, command.output()]).toEqual([{ code: 0, signal: null }, expect.anything()]);
      return command.output();
    },
  };
}

test('0.1.0, this release, and back to the copy: what 0.1.0 had is there, and no number is assigned twice', async () => {
  const release = readFileSync(join(root, 'releases/invoicing/0.1.0/release.json'), 'utf8');
  const first = await releaseBuild((JSON.parse(release) as { commit: string }).commit);

  const before = await started(first);
  const made = await before.draft();
  const { body } = await before.submit(made.id);
  expect(body).toMatchObject({ status: 'submitted' });
  const [newest] = await before.list();
  await before.stop();

  const since = await started(root);
  expect(since.output()).toContain(join(data, 'data-0.1.0.sqlite'));
  expect((await since.list())[0]).toMatchObject({ id: made.id, number: newest?.number });
  const { body: later } = await since.submit((await since.draft()).id);
  expect(later).toMatchObject({ status: 'submitted', number: expect.not.stringMatching(String(newest?.number)) });
  await since.stop();

  renameSync(join(data, 'data-0.1.0.sqlite'), join(data, 'data.sqlite'));
  const back = await started(first);
  const found = await eventually(async () => (await back.list())[0], 'the lists of 0.1.0');
  expect(found).toMatchObject({ id: made.id, status: 'submitted', number: newest?.number });
  const again = await back.draft();
  expect((await back.submit(again.id)).status).toBe(503); // The authority may have numbers of the time since.
  const listed = await back.svc('series', 'list');
  const series = /series-test[^"]+/.exec(listed)?.[0] ?? listed;
  const last = Number(later.number?.replace(/\D/g, ''));
  const today = new Date().toISOString().slice(0, 10);
  await back.svc('series', 'raise', '--series', series, '--last', String(last), '--issue-date', today, '--confirm', 'true');
  const { body: next } = await back.submit(again.id);
  expect(next).toMatchObject({ status: 'submitted', number: `INV-${String(last + 1).padStart(6, '0')}` });
}, 600_000);
