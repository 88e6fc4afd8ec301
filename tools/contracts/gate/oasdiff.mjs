// node oasdiff.mjs: prints the path of oasdiff, which compares OpenAPI documents. Built by Go from its own module, once for each version; OASDIFF names
// another program in its place.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, renameSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

const VERSION = 'v1.33.0';

/** The path of the program. Throws when it is neither there nor can be built. */
export function oasdiffProgram() {
  if (process.env.OASDIFF) return process.env.OASDIFF;
  const folder = join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'invoicing-platform', `oasdiff-${VERSION}`);
  const program = join(folder, 'oasdiff');
  if (!existsSync(program)) build(folder, program);
  return program;
}

function build(folder, program) {
  if (spawnSync('go', ['version']).status !== 0)
    throw new Error('oasdiff is built by Go, which is not there. Install Go 1.25 or later, or name an oasdiff program by OASDIFF');
  console.error(`building oasdiff ${VERSION}: once, about a minute`);
  const work = `${folder}.${process.pid}`;
  mkdirSync(work, { recursive: true });
  const args = ['install', '-trimpath', '-ldflags', '-s -w', `github.com/oasdiff/oasdiff@${VERSION}`];
  const { status } = spawnSync('go', args, { env: { ...process.env, CGO_ENABLED: '0', GOBIN: work }, stdio: ['ignore', 2, 2] });
  if (status !== 0) throw new Error('oasdiff could not be built: see above');
  mkdirSync(folder, { recursive: true });
  renameSync(join(work, 'oasdiff'), program);
}

if (process.argv[1] === import.meta.filename) console.log(oasdiffProgram());
