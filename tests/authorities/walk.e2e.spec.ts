import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root, startSystem, type System } from '@svc/testkit';
import { openAccount } from '../e2e/testing/accounts.ts';
import { commandsOf, runInShell } from '../e2e/testing/readme.ts';

let system: System;
let folder: string;
beforeAll(async () => {
  system = await startSystem();
  folder = mkdtempSync(join(tmpdir(), 'walk-'));
});
afterAll(async () => {
  await system.stop();
  rmSync(folder, { recursive: true });
});

test('docs/authorities.md: issuers of Albania and Spain come to code, link, PDF, void and evidence', async () => {
  const { testKey } = await openAccount(system, 'Reader');
  const sections = ['A sandbox issuer of Albania', 'A sandbox issuer of Spain', 'What was sent'];
  const commands = commandsOf('docs/authorities.md', ...sections)
    .replace('svc_test_…', testKey)
    .replaceAll('localhost:3000', new URL(system.url).host)
    .replaceAll('localhost:3002', new URL(system.simulator).host)
    .replace('npm run --silent verify --', `${process.execPath} ${join(root, 'tools/verify/verify.mjs')}`);
  const output = runInShell(`cd ${folder}\n${commands}`);
  const year = new Date().getUTCFullYear();
  expect(output).toMatch(/^"authority":"al-cis"\n"ready":true$/m);
  expect(output).toMatch(new RegExp(`^"number":"1/${year}"\n"fiscal_code":"[0-9a-f-]{36}"$`, 'm'));
  expect(output).toMatch(new RegExp(`^"number":"2/${year}"\n"fiscal_code":"[0-9a-f-]{36}"$`, 'm'));
  expect(output).toMatch(/^"authority":"es-verifactu"\n"ready":true$/m);
  expect(output).toMatch(/^"verification_url":"https:\/\/prewww2\.aeat\.es\/[^"]+"$/m);
  expect(output).toMatch(/^All of \d+ checks hold\.$/m);
  expect(output).not.toContain('"error":{');
  for (const name of ['albania.pdf', 'spain.pdf']) expect(readFileSync(join(folder, name), 'latin1')).toMatch(/^%PDF-1\.[^]*%%EOF\s*$/);
});
