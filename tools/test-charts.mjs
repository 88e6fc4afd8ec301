// npm run test:charts: the Helm charts as Helm renders them, and what this commit promises compared with the releases. Needs Helm and oasdiff, which are
// built with Go if they are missing, Python for Kubernetes' own schemas, and promtool, which is Debian's.
import { join } from 'node:path';
import { prometheusPrograms } from '../deploy/monitoring/prometheus.mjs';
import { helmProgram } from '../helm/tools/helm.mjs';
import { installed } from '../helm/tools/kubernetes-validate.mjs';
import { oasdiffProgram } from './contracts/gate/oasdiff.mjs';
import { root } from './setup.mjs';
import { openTally, runBeside } from './tally.mjs';

const tally = openTally();
const there = (find) => async () => (find() ? 0 : 1);
const needed = { helm: helmProgram, 'kubernetes-validate': installed, oasdiff: oasdiffProgram, promtool: prometheusPrograms };
let isReady = true;
for (const [name, find] of Object.entries(needed)) isReady = (await tally.step(name, there(find))) && isReady;
await tally.step('contract gate', () => runBeside(process.execPath, [join(root, 'tools/contracts/gate.mjs')]));
if (isReady) await tally.jest(process.argv.slice(2), { TESTS: 'charts' });
tally.end();
