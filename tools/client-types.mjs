// node tools/client-types.mjs: generates the types of the dashboard's client anew, after a change of its interface.
import { join } from 'node:path';
import { root } from './setup.mjs';
import { runSource } from './contracts/run-source.mjs';

await runSource(join(root, 'libs/client/src/testing/write-types.ts'));
