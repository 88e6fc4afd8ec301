// Runs a TypeScript program on the sources themselves, so that nothing has to be built first.
import { spawnSync } from 'node:child_process';
import { root, setup } from '../setup.mjs';

const loader = ['--conditions=@svc/source', '--import', '@swc-node/register/esm-register'];
/** Ends this process with the exit code of the program. */
export async function runSource(path, ...args) {
  const { node24, env } = await setup();
  process.exit(spawnSync(node24, [...loader, path, ...args], { cwd: root, env, stdio: 'inherit' }).status ?? 1);
}
