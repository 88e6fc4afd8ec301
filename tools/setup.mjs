// Sets up a fresh clone with plain Node ≥ 18 and no dependency. Installs the locked packages that a command needs, if they are absent or older than the lock file,
// and finds a Node 24.
import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, realpathSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** The first release of Node 24 with long-term support. Newer majors are not tried by any test. */
const OWN_NODE = { major: 24, minor: 11 };
const MOST_OUTPUT = 64 * 1024 * 1024;

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
/** One among the packages goes with them. */
const isOwnNode =
  major === OWN_NODE.major &&
  minor >= OWN_NODE.minor &&
  !realpathSync(process.execPath).startsWith(join(realpathSync(root), 'node_modules'));

/** npm writes this file at the end of an installation, and removes it at the beginning of `npm ci`. */
const installedIn = (folder) => join(folder, 'node_modules', '.package-lock.json');
const isInstalled = (folder) =>
  existsSync(installedIn(folder)) && statSync(installedIn(folder)).mtimeMs >= statSync(join(folder, 'package-lock.json')).mtimeMs;
/** Whether packages for development are there, too, as of this lock file or an older one. */
const hasDevelopment = () => existsSync(installedIn(root)) && readFileSync(installedIn(root), 'utf8').includes('"node_modules/jest"');
const isComplete = () => isInstalled(root) && hasDevelopment();

/** Hides npm's output, whose warnings are about packages, unless npm fails. Resolves with its exit code. */
async function npm(what, folder, ...args) {
  const began = Date.now();
  console.error(`installing ${what} …`);
  const { code, output } = await new Promise((resolve) => {
    const child = spawn('npm', [...args, '--no-audit', '--no-fund'], { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (output = (output + text).slice(-MOST_OUTPUT)));
    child.once('error', ({ message }) => resolve({ code: 1, output: `${output}${message}\n` }));
    child.once('close', (code) => resolve({ code: code ?? 1, output }));
  });
  if (code === 0) console.error(`installed ${what} in ${Math.round((Date.now() - began) / 1000)} s`);
  else console.error(`${output}npm ${args.join(' ')} failed: see above. Is the npm registry reachable?`);
  return code;
}

/** Ends this process where one of them failed, once all have ended: npm goes on without it, and in the way of the next. */
async function all(...installations) {
  const failed = (await Promise.all(installations)).find((code) => code > 0);
  if (failed !== undefined) process.exit(failed);
}

/** Of Node 24 what runs: its headers, a third of it, are for packages that are compiled. */
async function installNode24(folder) {
  const code = await npm('Node 24', folder, 'ci');
  if (code > 0) return code;
  const packages = join(folder, 'node_modules', 'node', 'node_modules');
  for (const entry of readdirSync(packages, { withFileTypes: true }))
    if (entry.isDirectory()) rmSync(join(packages, entry.name, 'include'), { recursive: true, force: true });
  return code;
}

const found = (node24) => ({ node24, env: { ...process.env, PATH: `${dirname(node24)}:${process.env.PATH}`, NX_DAEMON: 'false' } });
const packagedIn = (folder) => join(folder, 'node_modules', '.bin', 'node');

/** For commands that run the product: packages of production, compiler and bundler; Node 24 only where the machine's own is another. */
export async function setupProduct() {
  const node24 = join(root, 'tools', 'node24');
  if (hasDevelopment()) return setup();
  await all(
    ...(isInstalled(root) ? [] : [npm('packages', root, 'ci', '--omit=dev')]),
    ...(isOwnNode || isInstalled(node24) ? [] : [installNode24(node24)]),
  );
  return found(isOwnNode ? process.execPath : packagedIn(node24));
}

/** For all other commands: everything. Adds what is missing to what `setupProduct` has installed, which may be running. */
export async function setup() {
  if (!isInstalled(root)) await all(npm('packages', root, 'ci'));
  else if (!isComplete()) await all(npm('packages for development', root, 'install', '--no-save', '--include=dev'));
  return found(packagedIn(root));
}
