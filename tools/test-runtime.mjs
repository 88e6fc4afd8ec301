// Jest's runtime on Node's own modules. The test files of a worker share the packages that they load, and each loads the modules of this repository anew: what one
// keeps in a variable is of one file. Jest's own makes a context for each file and loads everything anew in it, which is most of what a run costs.
import { readFileSync } from 'node:fs';
import { createRequire, registerHooks } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { root } from './setup.mjs';

const ROOT = pathToFileURL(`${root}/`).href;
const isOurs = (url) => url.startsWith(ROOT) && !url.includes('/node_modules/');

/** At the end of the URL of a module of ours: for which test file it is loaded. What it imports is loaded for the same one, however late. */
const MARK = '?for=';
const marked = (url, file) => (isOurs(url) && !url.includes(MARK) ? `${url}${MARK}${file}` : url);
let files = 0;

/** By what imports and what it names: where that leads, which is the same for all test files. */
const found = new Map();

function resolve(specifier, context, next) {
  const [parentURL, file] = context.parentURL?.split(MARK) ?? [];
  if (file === undefined) return next(specifier, context);
  const key = `${parentURL} ${specifier}`;
  if (!found.has(key)) {
    const conditions = specifier.startsWith('@svc/') ? ['@svc/source', ...context.conditions] : context.conditions;
    found.set(key, next(specifier, { ...context, parentURL, conditions }));
  }
  return { ...found.get(key), url: marked(found.get(key).url, file), shortCircuit: true };
}

/** Jest's compiler with its cache of files, of the test file that runs: each has one, for the same settings. */
let transformer;
const AS_MODULE = {
  ...{ instrument: false, isInternalModule: false, collectCoverage: false, collectCoverageFrom: [], coverageProvider: 'v8' },
  ...{ supportsDynamicImport: true, supportsExportNamespaceFrom: true, supportsStaticESM: true, supportsTopLevelAwait: true },
};
/** By path, with the source: a test may write another one there. */
const compiled = new Map();
/** By the URLs that are in stacks: where Jest's cache has the map. */
const sourceMaps = new Map();

function compile(path) {
  const source = readFileSync(path, 'utf8');
  if (compiled.get(path)?.source !== source) compiled.set(path, { source, ...transformer.transformSource(path, source, AS_MODULE) });
  return compiled.get(path);
}

function load(url, context, next) {
  if (!url.startsWith('file:') || !new URL(url).pathname.endsWith('.ts')) return next(url, context);
  const { code, sourceMapPath } = compile(fileURLToPath(url));
  sourceMaps.set(url, sourceMapPath);
  return { format: 'module', source: code, shortCircuit: true };
}

registerHooks({ resolve, load });

/** What the runner of Jest's tests keeps for one file: what has been defined in it, and what handles its events. */
const OF_ONE_FILE = ['JEST_STATE_SYMBOL', 'EVENT_HANDLERS', 'RETRY_TIMES_SETTER', 'TEST_TIMEOUT_SYMBOL'];

export default class {
  file = (files += 1);

  constructor(_config, _environment, _resolver, ofFile) {
    transformer = ofFile;
  }

  unstable_shouldLoadAsEsm = () => true;
  unstable_importModule = (path) => import(marked(pathToFileURL(path).href, this.file));
  requireModule = (path) => createRequire(path)(path);

  /** Anew for each test file: its state is that of one. By a `require` of its own, since one that lasts would keep all of them. */
  requireInternalModule(path) {
    for (const symbol of Object.getOwnPropertySymbols(globalThis)) if (OF_ONE_FILE.includes(symbol.description)) delete globalThis[symbol];
    const require = createRequire(path);
    delete require.cache[path];
    return require(path);
  }

  getSourceMaps = () => sourceMaps;
  getAllCoverageInfoCopy = () => undefined;
  setGlobalsForRuntime() {}
  enterTestCode() {}
  leaveTestCode() {}
  teardown() {}
}
