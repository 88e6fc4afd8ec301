import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const toolchain = pathToFileURL(join(import.meta.dirname, 'toolchain.mjs'));
let bin: string;
beforeEach(() => (bin = mkdtempSync(join(tmpdir(), 'svc-bin-'))));
afterEach(() => rmSync(bin, { recursive: true }));

/** The message on a machine with only these tools. */
function demand(...tools: string[]): string {
  const script = `import { requireTools } from '${toolchain}';
    try { requireTools(${JSON.stringify(tools)}, () => {}); console.log('fine'); } catch (error) { console.log(error.message); }`;
  return spawnSync(process.execPath, ['--input-type=module', '-e', script], { env: { PATH: bin }, encoding: 'utf8' }).stdout;
}

function have(tool: string, says: string): void {
  writeFileSync(join(bin, tool), `#!/bin/sh\necho '${says}'\n`);
  chmodSync(join(bin, tool), 0o755);
}

test('names the packages to install on a machine without them', () => {
  const said = demand('java', 'mvn');
  expect(said).toContain('java is not installed; mvn is not installed');
  expect(said).toContain('apt-get install openjdk-17-jdk-headless maven');
});

test('refuses an old Java', () => {
  have('mvn', 'Apache Maven 3.8.7');
  have('java', 'openjdk version "1.8.0_392"');
  expect(demand('java', 'mvn')).toContain('java is version 8, 17 is the oldest');
  have('java', 'openjdk version "21.0.2" 2024-01-16');
  expect(demand('java', 'mvn')).toBe('fine\n');
});
