// Runs a TypeScript program on the sources themselves, so that nothing has to be built first.
import { spawnSync } from 'node:child_process';
import { root, setup } from '../setup.mjs';

const loader = ['--conditions=@svc/source', '--import', '@swc-node/register/esm-register'];
/** Node 24 comes with the packages: who runs on it has them. */
const installed = () => (Number(process.versions.node.split('.')[0]) >= 24 ? { node24: process.execPath, env: process.env } : setup());

/** Ends this process with the exit code of the program. */
export function runSource(path, ...args) {
  const { node24, env } = installed();
  process.exit(spawnSync(node24, [...loader, path, ...args], { cwd: root, env, stdio: 'inherit' }).status ?? 1);
}
