// npm run lint: lints by Nx, which builds the project graph: without it the rule about module boundaries reports nothing.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { root } from './setup.mjs';

const done = spawnSync(
  join(root, 'node_modules/.bin/nx'),
  ['run-many', '-t', 'lint', '--output-style=static', '--parallel=2', ...process.argv.slice(2)],
  {
    cwd: root,
    stdio: 'inherit',
    // Its plugins in processes of their own are half of what a run takes.
    env: { NX_ISOLATE_PLUGINS: 'false', ...process.env },
  },
);
process.exit(done.status ?? 1);
