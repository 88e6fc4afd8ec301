// npm run test:charts: the Helm charts as Helm renders them. Needs Helm, which is built with Go if it is missing, and Python for Kubernetes' own schemas.
import { helmProgram } from '../helm/tools/helm.mjs';
import { installed } from '../helm/tools/kubernetes-validate.mjs';
import { openTally } from './tally.mjs';

const tally = openTally();
const there = (find) => async () => (find() ? 0 : 1);
if ((await tally.step('helm', there(helmProgram))) && (await tally.step('kubernetes-validate', there(installed))))
  tally.jest(process.argv.slice(2), { TESTS: 'charts' });
tally.end();
