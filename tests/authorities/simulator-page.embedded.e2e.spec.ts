import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually, freePort, root, startProgram, type Program } from '@svc/testkit';
import { runInShell } from '../e2e/testing/readme.ts';

const folder = mkdtempSync(join(tmpdir(), 'simulator-'));
let simulator: Program;
let port: string;
beforeAll(async () => {
  port = String(await freePort());
  const [AL_CIS_PORT, ME_EFI_PORT, ES_VERIFACTU_PORT] = [await freePort(), await freePort(), await freePort()].map(String);
  const env = { SIMULATOR_PORT: port, AL_CIS_PORT, ME_EFI_PORT, ES_VERIFACTU_PORT, LEDGER_FILE: join(folder, 'ledger.sqlite') };
  simulator = startProgram('tools/simulator.mjs', { env: env as Record<string, string> });
  await eventually(async () => (await fetch(`http://127.0.0.1:${port}/healthz`)).ok, 'the simulator is healthy');
});
afterAll(async () => {
  await simulator.kill();
  rmSync(folder, { recursive: true });
});

test('the commands of the simulator’s page that call operators answer JSON, of a simulator that runs alone', () => {
  const page = readFileSync(join(root, 'services/authority-simulator/README.md'), 'utf8');
  const lines = [...page.matchAll(/```sh\n([^]*?)```/g)].flatMap(([, block]) => String(block).split('\n'));
  const calls = lines.filter((line) => /^curl -s "?\$op\//.test(line));
  expect(calls.length).toBeGreaterThanOrEqual(7);
  for (const call of calls) {
    const answer: unknown = JSON.parse(runInShell(`op=http://127.0.0.1:${port}\n${call}`));
    expect(JSON.stringify(answer)).toMatch(/"data":|"certificate":|"fault":/);
  }
});
