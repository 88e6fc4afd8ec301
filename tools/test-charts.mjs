// npm run test:charts: the Helm charts as Helm renders them. Needs Helm, which is built by Go where it is not there, and Python for Kubernetes' own schemas.
import { helmProgram } from '../helm/tools/helm.mjs';
import { openTally } from './tally.mjs';

const tally = openTally();
if (await tally.step('helm', () => (helmProgram() ? 0 : 1))) tally.jest(process.argv.slice(2), { TESTS: 'charts' });
tally.end();
