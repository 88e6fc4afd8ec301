// Shared by npm test and npm run test:servers: steps that count as one test each, runs of Jest, and the sum as the last line.
import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { once } from 'node:events';
import { join } from 'node:path';
import { root } from './setup.mjs';

export const bin = (name) => join(root, 'node_modules/.bin', name);
export const run = (command, args, env = {}) =>
  spawnSync(command, args, { cwd: root, stdio: 'inherit', env: { ...process.env, ...env } }).status ?? 1;

/** Where Node keeps the compiled form of programs; runs share it. */
const COMPILED = 'node-compile-cache';

/** The same beside other work: prints its output in one piece at its end. Returns its exit code. */
export async function runBeside(command, args) {
  const env = { NODE_COMPILE_CACHE: join(tmpdir(), COMPILED), ...process.env };
  const child = spawn(command, args, { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'] });
  const said = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => said.push(chunk));
  const [code] = await once(child, 'close');
  process.stdout.write(Buffer.concat(said));
  return code ?? 1;
}

/** A folder for all that one run of Jest and its processes make as temporary. */
function temporaryIn(folder) {
  const temporary = join(folder, 'tmp');
  const compiled = join(tmpdir(), COMPILED);
  for (const path of [temporary, compiled]) mkdirSync(path, { recursive: true });
  symlinkSync(compiled, join(temporary, COMPILED));
  return temporary;
}

/** What tests have made with `mkdtemp` and not removed; other names are those of programs, such as a browser. */
const leftBehind = (temporary) => readdirSync(temporary).filter((name) => /^\w.*-[A-Za-z0-9]{6}$/.test(name));

const seconds = (started) => `${((performance.now() - started) / 1000).toFixed(1)} s`;

export function openTally() {
  let [passed, failed, skipped] = [0, 0, 0];
  /** What they print may stand far above the sum. */
  const failedSteps = [];

  return {
    /** `check` returns an exit code, or a promise of one. */
    async step(name, check) {
      const started = performance.now();
      const ok = (await check()) === 0;
      console.log(`${ok ? 'ok    ' : 'FAILED'} ${name} (${seconds(started)})`);
      if (ok) passed += 1;
      else {
        failed += 1;
        failedSteps.push(name);
      }
      return ok;
    },

    /** Tests that cannot run, since a step before them has failed: each counts as skipped. */
    notRun(/** @type {string[]} */ names, /** @type {string} */ why) {
      console.log(`not run, ${why}:\n  ${names.join('\n  ')}`);
      skipped += names.length;
    },

    /**
     * Adds Jest's counts; a run without output, or one that fails without a failed test, counts as one failure, and so do temporary folders that a run without
     * failures leaves behind. What `-t` does not choose is not skipped.
     * @returns {Promise<boolean>} whether nothing has failed
     */
    async jest(args, env = {}) {
      const folder = mkdtempSync(join(tmpdir(), 'svc-test-'));
      const report = join(folder, 'jest.json');
      const temporary = temporaryIn(folder);
      const command = [join(root, 'node_modules/jest/bin/jest.js')];
      const options = { cwd: root, stdio: 'inherit', env: { ...process.env, TMPDIR: temporary, ...env } };
      const [status] = await once(spawn(process.execPath, [...command, '--json', `--outputFile=${report}`, ...args], options), 'close');
      let wrong = 0;
      try {
        const result = JSON.parse(readFileSync(report, 'utf8'));
        passed += result.numPassedTests;
        if (!args.includes('-t')) skipped += result.numPendingTests + result.numTodoTests;
        wrong = result.numFailedTests + result.numRuntimeErrorTestSuites;
      } catch {
        wrong = 1;
      }
      const left = wrong === 0 ? leftBehind(temporary) : [];
      if (left.length > 0)
        console.log(`tests have left folders behind, whose names begin as in their \`mkdtemp\`:\n  ${left.join('\n  ')}`);
      const failures = status !== 0 && wrong === 0 ? 1 : wrong;
      failed += failures;
      rmSync(folder, { recursive: true });
      return failures === 0;
    },

    /** Prints the sum and ends the process. */
    end() {
      if (failedSteps.length > 0) console.log(`failed: ${failedSteps.join(', ')}`);
      console.log(`${passed} passed, ${failed} failed, ${skipped} skipped`);
      process.exit(failed === 0 ? 0 : 1);
    },
  };
}
