// Checks which folders import which, by .dependency-cruiser.mjs. `node tools/folders.mjs [folder]`: of another folder with libs/ and services/.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { root } from './setup.mjs';

const program = join(root, 'node_modules/dependency-cruiser/bin/dependency-cruiser.mjs');
const args = ['--config', join(root, '.dependency-cruiser.mjs'), '--output-type', 'err-long', 'libs', 'services'];
const { status } = spawnSync(process.execPath, [program, ...args], { cwd: process.argv[2] ?? root, stdio: 'inherit' });
process.exit(status ?? 1);
