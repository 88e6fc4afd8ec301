// oasdiff compares OpenAPI documents. OASDIFF names another program in its place.
import { goProgram } from '../../../helm/tools/go-program.mjs';

/** The path of the program. Throws when it is neither there nor can be built. */
export const oasdiffProgram = () =>
  process.env.OASDIFF ??
  goProgram({
    name: 'oasdiff',
    path: 'github.com/oasdiff/oasdiff',
    version: 'v1.33.0',
    takes: 'about a minute',
    instead: 'name an oasdiff program by OASDIFF',
  });
