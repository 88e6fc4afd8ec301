// Programs that Go builds from their own modules, once for each version, into ~/.cache/invoicing-platform.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, dirname, join } from 'node:path';

const OLDEST_GO = [1, 25];

function placeOf({ path, version }) {
  const file = basename(path);
  return join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'invoicing-platform', `${file}-${version}`, file);
}

/** Whether it has been built on this machine. */
export const isGoProgramBuilt = (/** @type {{ path: string, version: string }} */ program) => existsSync(placeOf(program));

/**
 * The path of the program of a package (`helm.sh/helm/v4/cmd/helm`). Throws when it is neither there nor can be built.
 * @param {{ name: string, path: string, version: string, takes: string, instead?: string }} program `takes`: how long a build takes; `instead`: what one may do without Go
 */
export function goProgram({ name, path, version, takes, instead }) {
  const program = placeOf({ path, version });
  if (existsSync(program)) return program;

  const [, major, minor] = /go(\d+)\.(\d+)/.exec(spawnSync('go', ['version'], { encoding: 'utf8' }).stdout ?? '') ?? [];
  if (!major || Number(major) < OLDEST_GO[0] || Number(minor) < OLDEST_GO[1])
    throw new Error(
      `${name} is built by Go ${OLDEST_GO.join('.')} or later, which is not there. Install it${instead ? `, or ${instead}` : ''}`,
    );
  console.error(`building ${name} ${version}: ${takes}, once`);
  const folder = dirname(program);
  const work = `${folder}.${process.pid}`;
  mkdirSync(work, { recursive: true });
  const args = ['install', '-trimpath', '-ldflags', '-s -w', `${path}@${version}`];
  const { status } = spawnSync('go', args, { env: { ...process.env, CGO_ENABLED: '0', GOBIN: work }, stdio: ['ignore', 2, 2] });
  if (status !== 0) throw new Error(`${name} could not be built`);
  mkdirSync(folder, { recursive: true });
  renameSync(join(work, basename(program)), program);
  rmSync(work, { recursive: true });
  return program;
}
