import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { client, freePort, runProgram, startSystem } from '@svc/testkit';

test('a first start that finds its port taken has shown no keys; the next one shows keys that work', async () => {
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
  expect([code, output.includes('EADDRINUSE'), output.includes('svc_test_')]).toEqual([1, true, false]);
  taken.close();

  const system = await startSystem({}, folder);
  expect((await client(`${system.url}/v1`, system.setup.test_key)('GET', '/account')).status).toBe(200);
  expect(statSync(setupFile).mode & 0o777).toBe(0o600);
  const shown = readFileSync(setupFile, 'utf8');
  await system.kill('SIGTERM');
  const again = await startSystem({}, folder);
  expect(readFileSync(setupFile, 'utf8')).toBe(shown);
  expect(again.output()).not.toContain('svc_test_');
  await again.stop();
  rmSync(folder, { recursive: true, force: true });
});
