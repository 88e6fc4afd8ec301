// node helm.mjs: prints the path of Helm, which it builds by Go from its own module, once for each version. HELM names another program in its place.
import { goProgram } from './go-program.mjs';

const HELM = {
  name: 'Helm',
  path: 'helm.sh/helm/v4/cmd/helm',
  version: 'v4.3.0',
  takes: 'four to eight minutes of a processor',
  instead: 'name a Helm 4 program by HELM',
};

/** The path of the program. Throws when it is neither there nor can be built. */
export const helmProgram = () => process.env.HELM || goProgram(HELM);

if (process.argv[1] === import.meta.filename) console.log(helmProgram());
