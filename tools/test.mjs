// npm test: everything that needs only npm. Each check counts as one test beside Jest's; the last line is the sum.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from './setup.mjs';

const bin = (name) => join(root, 'node_modules/.bin', name);
const run = (command, args, env = {}) =>
  spawnSync(command, args, { cwd: root, stdio: 'inherit', env: { ...process.env, ...env } }).status ?? 1;

const checks = [
  ['format', () => run(bin('prettier'), ['--check', '--log-level', 'warn', '.'])],
  ['types', () => run(bin('tsc'), ['-p', 'tsconfig.json'])],
  ['lint and module boundaries', () => run(process.execPath, [join(root, 'tools/lint.mjs')])],
  ['build', () => run(process.execPath, [join(root, 'tools/build.mjs')])],
];

let [passed, failed, skipped] = [0, 0, 0];
for (const [name, check] of checks) {
  const started = performance.now();
  const ok = check() === 0;
  console.log(`${ok ? 'ok    ' : 'FAILED'} ${name} (${((performance.now() - started) / 1000).toFixed(1)} s)`);
  if (ok) passed += 1;
  else failed += 1;
}

const folder = mkdtempSync(join(tmpdir(), 'svc-test-'));
const report = join(folder, 'jest.json');
const jest = [
  '--experimental-vm-modules',
  '--disable-warning=ExperimentalWarning',
  join(root, 'node_modules/jest/bin/jest.js'),
  '--json',
  `--outputFile=${report}`,
  ...process.argv.slice(2),
];
const status = run(process.execPath, jest);
try {
  const result = JSON.parse(readFileSync(report, 'utf8'));
  passed += result.numPassedTests;
  skipped += result.numPendingTests + result.numTodoTests;
  failed += result.numFailedTests + result.numRuntimeErrorTestSuites;
} catch {
  failed += 1;
}
if (status !== 0 && failed === 0) failed = 1;
rmSync(folder, { recursive: true });
console.log(`${passed} passed, ${failed} failed, ${skipped} skipped`);
process.exit(failed === 0 ? 0 : 1);
