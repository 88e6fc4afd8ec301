// node prometheus.mjs: prints the folder of Prometheus and promtool, from Debian's package, which is unpacked once and installs no service. PROMETHEUS
// names another folder with both programs.
import { spawnSync } from 'node:child_process';
import { existsSync, globSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

/** The folder of the programs `prometheus` and `promtool`. Throws when they are neither there nor can be fetched. */
export function prometheusPrograms() {
  if (process.env.PROMETHEUS) return process.env.PROMETHEUS;
  const folder = join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'invoicing-platform', 'prometheus');
  const programs = join(folder, 'usr', 'bin');
  if (!existsSync(join(programs, 'promtool'))) fetchPackage(folder);
  return programs;
}

function fetchPackage(folder) {
  console.error('fetching Debian’s package of Prometheus, 19 MB, once');
  const work = `${folder}.${process.pid}`;
  mkdirSync(work, { recursive: true });
  try {
    // A bare machine has no list of packages yet; to fetch it takes root.
    if (!isDone(work, 'apt-get', ...DOWNLOAD) && !(isDone(work, 'apt-get', 'update', '-qq') && isDone(work, 'apt-get', ...DOWNLOAD)))
      throw new Error(
        'apt-get cannot download the package prometheus: install Prometheus, and name the folder of its programs by PROMETHEUS',
      );
    const [file = ''] = globSync('prometheus_*.deb', { cwd: work });
    if (!isDone(work, 'dpkg', '-x', file, 'unpacked')) throw new Error(`dpkg cannot unpack ${file}`);
    rmSync(folder, { recursive: true, force: true });
    renameSync(join(work, 'unpacked'), folder);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

const DOWNLOAD = ['-o', 'APT::Sandbox::User=root', '-qq', 'download', 'prometheus'];

const isDone = (cwd, command, ...args) => spawnSync(command, args, { cwd, stdio: ['ignore', 2, 2] }).status === 0;

if (process.argv[1] === import.meta.filename) console.log(prometheusPrograms());
