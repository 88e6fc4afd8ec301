// Jest's environment of Node, which compiles each module once a worker: V8's compiled form is kept for the files of tests that follow. Jest has a context of its
// own for each file and compiles everything in it anew, which is half of what loading a service costs.
import vm from 'node:vm';
import { TestEnvironment } from 'jest-environment-node';

/** By path, with the source, since a test may write other files to a path: V8 itself compares lengths alone. */
const [functions, modules] = [new Map(), new Map()];
const keptOf = (compiled, path, source) => {
  const kept = compiled.get(path);
  return kept?.source === source ? kept.data : undefined;
};

/** A copy of this context: V8 makes the bytes in the context of the test file, which they would keep in memory. */
const own = (data) => Buffer.from(data);

const { compileFunction, SourceTextModule } = vm;

vm.compileFunction = (source, parameters, options) => {
  const cachedData = keptOf(functions, options.filename, source);
  if (cachedData) return compileFunction(source, parameters, { ...options, cachedData });
  const made = compileFunction(source, parameters, { ...options, produceCachedData: true });
  functions.set(options.filename, { source, data: own(made.cachedData) });
  return made;
};

vm.SourceTextModule = class extends SourceTextModule {
  constructor(source, options) {
    const cachedData = keptOf(modules, options.identifier, source);
    try {
      super(source, cachedData ? { ...options, cachedData } : options);
    } catch (error) {
      // A test that sets a flag of V8 makes what was compiled before invalid; other errors are those of the source, and come again.
      if (!cachedData) throw error;
      modules.clear();
      super(source, options);
    }
    if (!keptOf(modules, options.identifier, source)) modules.set(options.identifier, { source, data: own(this.createCachedData()) });
  }
};

export default TestEnvironment;
