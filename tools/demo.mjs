// npm run demo: runs the main use cases end to end on a temporary folder and prints each step; exits with 1 if a step fails. `-- --curl` prints the request
// of each step as a command for a system on localhost:3000. `-- --authority al-cis|es-verifactu|me-efi [--wire FOLDER]`: a sandbox issuer of a national
// authority issues the twelve shapes of documents; each exchange with the authority is saved as a JSON file.
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { authorityDemo } from './demo/authority.mjs';
import { countries } from './demo/countries.mjs';
import { curlPrinter } from './demo/curl.mjs';
import { mainJob } from './demo/main-job.mjs';
import { promised, say } from './demo/product.mjs';

const USAGE = `npm run demo -- [--curl] [--authority ${Object.keys(countries).join('|')} [--wire FOLDER]]`;

function options() {
  try {
    const { values } = parseArgs({
      options: { curl: { type: 'boolean' }, authority: { type: 'string' }, wire: { type: 'string' } },
    });
    if (values.authority !== undefined && !Object.hasOwn(countries, values.authority))
      throw new Error(`no such authority: ${values.authority}`);
    if (values.wire !== undefined && values.authority === undefined) throw new Error('--wire needs --authority');
    return values;
  } catch (error) {
    console.error(`${error.message}\n${USAGE}`);
    process.exit(2);
  }
}

const { curl, authority, wire } = options();
/** Sends a request, prints it where that is asked for, and answers the body of an answer that is no error. */
const callOf = (product) => {
  const print = curl ? curlPrinter(say) : () => undefined;
  return async (method, path, body, headers = {}) => {
    const { ok, answer } = await product.request(method, path, body, headers);
    promised(`${method} ${path} succeeds`, ok, answer);
    print({ method, path, body, headers }, answer);
    return answer;
  };
};

try {
  if (authority === undefined) await mainJob(callOf);
  else await authorityDemo(authority, { callOf, wire: wire && resolve(process.env.INIT_CWD ?? '.', wire) });
  say('All as promised.');
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}
