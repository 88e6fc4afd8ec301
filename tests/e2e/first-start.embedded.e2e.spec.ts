import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { client, freePort, runProgram, startSystem } from '@svc/testkit';
import { commandsOf, runInShell } from './testing/readme.ts';

const keysIn = (file: string) => JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>;

/** Runs the commands of docs/first-steps.md for a lost key and returns their output. */
function afterLosingAKey(account: string, dataDir: string, ops: string): string {
  const here = commandsOf('docs/first-steps.md', 'A lost key')
    .replaceAll('.data/', `${dataDir}/`)
    .replaceAll('localhost:3001', new URL(ops).host);
  return runInShell(here, { ACCOUNT: account });
}

/** Standard output is no terminal here: each line is JSON. */
const linesOf = (output: string, msg: string): { account?: string; first_keys?: string }[] =>
  output
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as { msg: string; account?: string; first_keys?: string })
    .filter((line) => line.msg === msg);

test('makes no keys when the first start finds its port taken, names the file with working keys at the next start, and replaces a lost key as docs/first-steps.md says', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-first-'));
  const taken = createServer();
  await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
  const setupFile = join(folder, 'setup.json');
  writeFileSync(setupFile, 'stood here before', { mode: 0o644 });
  const ports = { OPS_PORT: String(await freePort()), SIMULATOR_PORT: String(await freePort()) };
  const env = {
    ...ports,
    PORT: String((taken.address() as AddressInfo).port),
    DATA_DIR: join(folder, 'data'),
    SETUP_FILE: setupFile,
    LOG_LEVEL: 'warn',
  };
  const { code, output } = await runProgram({ env });
  expect([code, output.includes(`PORT ${env.PORT} is taken`), output.includes('svc_test_')]).toEqual([1, true, false]);
  taken.close();

  const system = await startSystem({}, folder);
  expect((await client(`${system.url}/v1`, system.setup.test_key)('GET', '/account')).status).toBe(200);
  const [ready] = linesOf(system.output(), 'ready');
  expect(ready).toMatchObject({ account: system.setup.account_id, first_keys: setupFile });
  expect(system.output()).not.toContain('svc_');
  expect(statSync(setupFile).mode & 0o777).toBe(0o600);
  const { sign_in_url: first, ...shown } = keysIn(setupFile);
  await system.kill('SIGTERM');
  const again = await startSystem({}, folder);
  const [{ account = '' } = {}] = linesOf(again.output(), 'ready');
  expect(account).toBe(again.setup.account_id);
  const { key } = JSON.parse(afterLosingAKey(account, join(folder, 'data'), again.ops)) as { key: string };
  expect((await client(`${again.url}/v1`, key)('GET', '/account')).status).toBe(200);
  const { sign_in_url: renewed, ...kept } = keysIn(setupFile);
  expect(kept).toEqual(shown);
  expect([renewed === first, statSync(setupFile).mode & 0o777]).toEqual([false, 0o600]);
  expect(`${renewed}\n`).toBe(readFileSync(join(folder, 'data/sign-in-link.txt'), 'utf8'));
  expect(again.output()).not.toContain('svc_test_');
  await again.stop();
  rmSync(folder, { recursive: true, force: true });
});
