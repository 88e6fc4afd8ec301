// What is wrong with objects for releases of Kubernetes, by their schemas in the Python package kubernetes-validate, which is installed once for each list
// of versions.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

const requirements = join(import.meta.dirname, 'requirements.txt');

/** A line for each problem of the objects of a YAML file. Throws when the package is neither there nor can be installed. */
export function problemsOf(file, releases) {
  const args = [join(import.meta.dirname, 'validate.py'), file, ...releases];
  const { status, stdout, stderr } = spawnSync(join(installed(), 'bin', 'python'), args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
  return stdout.split('\n').filter(Boolean);
}

/** The folder of the Python environment. */
export function installed() {
  const hash = createHash('sha256').update(readFileSync(requirements)).digest('hex').slice(0, 16);
  const folder = join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'invoicing-platform', `kubernetes-validate-${hash}`);
  if (!existsSync(folder)) install(folder);
  return folder;
}

function install(folder) {
  console.error('installing kubernetes-validate');
  const work = `${folder}.${process.pid}`;
  const run = (command, ...args) => {
    const { status } = spawnSync(command, args, { stdio: ['ignore', 2, 2] });
    if (status === 0) return;
    rmSync(work, { recursive: true, force: true });
    throw new Error('kubernetes-validate could not be installed; it needs Python 3 with venv');
  };
  run('python3', '-m', 'venv', work);
  run(join(work, 'bin', 'python'), '-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '--requirement', requirements);
  renameSync(work, folder);
}
