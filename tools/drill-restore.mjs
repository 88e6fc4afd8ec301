// npm run drill:restore: restores systems from their backups. First one process: from a scheduled backup, from its continuous copy to a second and to the last one, and
// from `svc admin backup`; npm test runs these too. Then two replicas of each service, on servers that it starts, unless an argument says `one-process`.
import { join } from 'node:path';
import { root } from './setup.mjs';
import { openTally, run } from './tally.mjs';

const ONE_PROCESS = ['scheduled-backups', 'continuous-copy', 'restore'].map((name) => `tests/e2e/${name}.embedded.e2e.spec.ts`);
const args = process.argv.slice(2);
const words = args.filter((word) => word !== 'one-process');

const tally = openTally();
if (await tally.step('build', () => run(process.execPath, [join(root, 'tools/build.mjs')]))) {
  await tally.jest(['--runInBand', ...ONE_PROCESS], { SYSTEM: 'standalone' });
  if (words.length === args.length)
    await tally.step('on servers', () => run(process.execPath, [join(root, 'tools/test-long.mjs'), 'restore.servers.long', ...words]));
}
tally.end();
