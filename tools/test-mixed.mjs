// npm run test:mixed [-- SERVICE…] [--changed] [--since COMMIT] [--minutes N]: services of this commit beside their last releases, in an upgrade and its rollback,
// and invoicing, reporting and the gateway beside a build of theirs that writes more.
// `--changed`: those that the commits since COMMIT touch, HEAD~1 by default. `--minutes`: begins no service that would end later, by the longest so far, and
// names those that it omits; 20 with `--changed`. Keeps what it finds for `npm run release`. MIXED_FROM names a commit in place of the last releases.
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startServers } from './long-servers.mjs';
import { touched } from './mixed-choice.mjs';
import { git } from './release/history.mjs';
import { releasedProjects } from './release/projects.mjs';
import { releasesOf } from './release/releases.mjs';
import { commitOf, keepResults } from './release/results.mjs';
import { root } from './setup.mjs';
import { services } from './services.mjs';
import { openTally, run } from './tally.mjs';

const SIMULATOR = 'authority-simulator';
const all = services.filter((name) => name !== SIMULATOR);
const SPEC = 'tests/servers/mixed.servers.long.spec.ts';
const BOUND = 20;

function options() {
  const { values, positionals } = parseArgs({
    options: { changed: { type: 'boolean', default: false }, since: { type: 'string', default: 'HEAD~1' }, minutes: { type: 'string' } },
    allowPositionals: true,
  });
  const unknown = positionals.filter((name) => !all.includes(name));
  if (unknown.length > 0) throw new Error(`no such service: ${unknown.join(', ')}; there are: ${all.join(', ')}`);
  const minutes = values.minutes === undefined ? (values.changed ? BOUND : Infinity) : Number(values.minutes);
  if (!(minutes > 0)) throw new Error(`--minutes is a number above 0, not ${values.minutes}`);
  return { chosen: values.changed ? changedSince(values.since) : positionals.length > 0 ? positionals : all, minutes };
}

function changedSince(commit) {
  const files = git(root, 'diff', '--name-only', commit, 'HEAD').split('\n').filter(Boolean);
  return touched({ services: all, projects: releasedProjects(root), files, commit: git(root, 'rev-parse', 'HEAD') });
}

const from = (service) => process.env.MIXED_FROM || releasesOf(root, service)[0]?.commit;

async function test({ chosen, minutes }) {
  const tally = openTally();
  const commit = commitOf(root);
  const began = performance.now();
  const isBuilt = await tally.step('build', () => run(process.execPath, [join(root, 'tools/build.mjs')]));
  const { isReady, addresses, stop } = isBuilt ? await startServers(tally) : { isReady: false };
  const jest = (name) => tally.jest(['--runInBand', SPEC, '-t', name], { TESTS: 'long', ...addresses });
  // One failure where none of them can run.
  const isRigged = isReady && (await jest('the last release of each service is built'));
  if (!isRigged) tally.notRun(chosen, 'since the step before has failed');
  const passed = isRigged ? await testEach(tally, { chosen, commit, jest, isOver: bound(began, minutes) }) : [];
  if (chosen === all && passed.length === all.length) {
    // It is in each of these systems, of either release.
    keep(commit, SIMULATOR, true);
    await jest('is refused, and why is said');
  }
  stop?.();
  tally.end();
}

/** @returns {Promise<string[]>} those that have passed */
async function testEach(tally, { chosen, commit, jest, isOver }) {
  const passed = [];
  for (const [n, service] of chosen.entries()) {
    if (n > 0 && isOver()) {
      tally.notRun(chosen.slice(n), 'since the minutes are over');
      break;
    }
    const ok = await jest(`lose nothing of ${service} (first|last|next)`);
    if (ok) passed.push(service);
    keep(commit, service, ok);
  }
  return passed;
}

const keep = (commit, service, passed) => console.log(keepResults(root, commit, { mixed: { [service]: { passed, from: from(service) } } }));

/** Whether what takes as long as the longest between two calls would end too late. */
function bound(began, minutes) {
  let [last, longest] = [performance.now(), 0];
  return () => {
    longest = Math.max(longest, performance.now() - last);
    last = performance.now();
    return last + longest - began > minutes * 60_000;
  };
}

try {
  const chosen = options();
  if (chosen.chosen.length === 0) console.log('This change touches no service: nothing runs beside a last release.');
  else await test(chosen);
} catch (error) {
  console.error(`npm run test:mixed: ${error.message}`);
  process.exit(2);
}
