// Sets up a fresh clone with plain Node ≥ 18 and no dependency. Installs the locked packages if they are absent or older than the lock file, and
// returns the path of the Node 24 among them.
import { spawnSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = dirname(dirname(fileURLToPath(import.meta.url)));
const installed = join(root, 'node_modules', '.package-lock.json');
const bin = join(root, 'node_modules', '.bin');
const node24 = join(bin, 'node');

const MOST_OUTPUT = 64 * 1024 * 1024;

export function setup() {
  const fresh =
    existsSync(installed) && existsSync(node24) && statSync(installed).mtimeMs >= statSync(join(root, 'package-lock.json')).mtimeMs;
  if (!fresh) {
    console.error('installing packages (npm ci) …');
    // Hides npm's output, whose warnings are about packages, unless npm fails.
    const done = spawnSync('npm', ['ci', '--no-audit', '--no-fund'], {
      cwd: root,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
      maxBuffer: MOST_OUTPUT,
    });
    if (done.status !== 0) {
      console.error(`${done.stdout ?? ''}${done.stderr ?? ''}${done.error ? `${done.error.message}\n` : ''}`);
      console.error('npm ci failed: see above. Is the npm registry reachable?');
      process.exit(done.status ?? 1);
    }
  }
  const env = { ...process.env, PATH: `${bin}:${process.env.PATH}`, NX_DAEMON: 'false' };
  return { node24, env };
}
