// node helm.mjs: prints the path of Helm, which it builds by Go from its own module, once for each version. HELM names another program in its place.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, renameSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

const VERSION = 'v4.3.0';
const OLDEST_GO = [1, 25];

/** The path of the program. Throws when it is neither there nor can be built. */
export function helmProgram() {
  if (process.env.HELM) return process.env.HELM;
  const folder = join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'invoicing-platform', `helm-${VERSION}`);
  const program = join(folder, 'helm');
  if (!existsSync(program)) build(folder, program);
  return program;
}

/** Takes four to eight minutes of a processor where nothing is cached. */
function build(folder, program) {
  const [, major, minor] = /go(\d+)\.(\d+)/.exec(spawnSync('go', ['version'], { encoding: 'utf8' }).stdout ?? '') ?? [];
  if (!major || Number(major) < OLDEST_GO[0] || Number(minor) < OLDEST_GO[1])
    throw new Error(
      `Helm is built by Go ${OLDEST_GO.join('.')} or later, which is not there. Install it, or name a Helm 4 program by HELM`,
    );
  console.error(`building Helm ${VERSION}: some minutes, once`);
  const work = `${folder}.${process.pid}`;
  mkdirSync(work, { recursive: true });
  const args = ['install', '-trimpath', '-ldflags', '-s -w', `helm.sh/helm/v4/cmd/helm@${VERSION}`];
  const { status } = spawnSync('go', args, { env: { ...process.env, CGO_ENABLED: '0', GOBIN: work }, stdio: ['ignore', 2, 2] });
  if (status !== 0) throw new Error('Helm could not be built');
  mkdirSync(folder, { recursive: true });
  renameSync(join(work, 'helm'), program);
}

if (process.argv[1] === import.meta.filename) console.log(helmProgram());
