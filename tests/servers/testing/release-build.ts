import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '@svc/testkit';

/** Ignored by git. */
export const mixedFolder = join(root, '.mixed');

/**
 * The folder with the built product of a commit: a clone of this repository with packages of its own, made once and kept. It gets its name
 * when it is complete, so that several processes may build it: the first one's is kept.
 */
export async function releaseBuild(commit: string): Promise<string> {
  const complete = join(mixedFolder, commit);
  if (existsSync(complete)) return complete;
  removeAbandoned();
  mkdirSync(mixedFolder, { recursive: true });
  const started = performance.now();
  const clone = join(mixedFolder, `${commit}.${process.pid}`);
  try {
    await run(root, 'git', 'clone', '--quiet', '--no-checkout', '--shared', root, clone);
    await run(clone, 'git', 'checkout', '--quiet', '--detach', commit);
    await run(clone, process.execPath, 'tools/run.mjs', 'build'); // installs its packages before
    rename(clone, complete);
  } finally {
    rmSync(clone, { recursive: true, force: true });
  }
  console.log(`built ${commit.slice(0, 7)} in ${Math.round((performance.now() - started) / 1000)} s`);
  return complete;
}

function rename(from: string, to: string): void {
  try {
    renameSync(from, to);
  } catch (error) {
    if (!existsSync(to)) throw error;
  }
}

/** Removes the builds of other commits: each has packages of its own. */
export function removeOthers(commits: ReadonlySet<string>): void {
  if (!existsSync(mixedFolder)) return;
  for (const name of readdirSync(mixedFolder))
    if (/^[0-9a-f]{40}$/.test(name) && !commits.has(name)) rmSync(join(mixedFolder, name), { recursive: true, force: true });
}

/** Removes what processes have left that ended while they built or planted: their folders end in their id. */
export function removeAbandoned(): void {
  if (!existsSync(mixedFolder)) return;
  for (const name of readdirSync(mixedFolder)) {
    const pid = /\.(\d+)$/.exec(name)?.[1];
    if (pid !== undefined && !isRunning(Number(pid))) rmSync(join(mixedFolder, name), { recursive: true, force: true });
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Variables that npm, Nx and Jest set for programs of this repository. */
const OURS = /^(npm_(config_local_prefix|package_|lifecycle_)|INIT_CWD$|NX_|JEST_|NODE_ENV$|NODE_OPTIONS$|TESTS$)/;

/** Rejects with the end of its output when it fails. */
async function run(cwd: string, command: string, ...args: string[]): Promise<void> {
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !OURS.test(name)));
  const child = spawn(command, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
  const said: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => said.push(chunk));
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0)
    throw new Error(`${command} ${args.join(' ')} ended with ${code} in ${cwd}:\n${Buffer.concat(said).toString('utf8').slice(-4000)}`);
}
