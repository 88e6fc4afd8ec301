// What of some packages a bundle takes: a program pays for every module in it with memory and time to start, whether it is used or not.
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

/** Nest loads this package at every start if it is installed; here it is, for a benchmark's baseline. */
const withoutExpress = {
  name: 'without express',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^@nestjs\/platform-express$/ }, ({ path }) => ({ path, namespace: 'absent' }));
    onLoad({ filter: /./, namespace: 'absent' }, () => ({ contents: 'export {};' }));
  },
};

/**
 * The checks behind class-validator's own decorators: our decorators bring theirs, and none of these runs. One that is called throws. They are tables of phone
 * numbers, postal codes and alphabets; one character beyond Latin-1 doubles the memory of the whole file.
 */
const withoutValidators = {
  name: 'without the checks of class-validator',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^(?:validator|libphonenumber-js)(?:$|\/)/ }, ({ path, importer }) =>
      importer.includes('/class-validator/') ? { path, namespace: 'unused-check' } : undefined,
    );
    onLoad({ filter: /./, namespace: 'unused-check' }, ({ path }) => ({
      contents: `module.exports = new Proxy({}, {
        get(_, name) {
          if (name === '__esModule') return true;
          throw new Error(${JSON.stringify(`${path} is not bundled: write the check with ValidateBy (see tools/trimmed-packages.mjs)`)});
        },
      });`,
    }));
  },
};

/** Of undici its connections alone: its other parts load Node's copy of it as well. An import of another name fails the build. */
const connectionsOfUndici = {
  name: 'connections of undici',
  setup({ onLoad }) {
    onLoad({ filter: /\/node_modules\/undici\/index\.js$/ }, () => ({
      contents: `import Dispatcher from './lib/dispatcher/dispatcher.js';
        import api from './lib/api/index.js';
        Object.assign(Dispatcher.prototype, api);
        export { default as Agent } from './lib/dispatcher/agent.js';
        export { default as Client } from './lib/dispatcher/client.js';
        export { default as Pool } from './lib/dispatcher/pool.js';
        export { default as buildConnector } from './lib/core/connect.js';`,
    }));
  },
};

/** Modules in place of one CommonJS file that loads all of them: what is not imported falls away. */
const modulesOfRxjs = {
  name: 'modules of rxjs',
  setup({ onResolve, resolve }) {
    onResolve({ filter: /^rxjs(?:\/operators)?$/ }, async ({ path, kind, importer, resolveDir, pluginData }) => {
      if (pluginData === 'resolved') return undefined;
      const found = await resolve(path, { kind, importer, resolveDir, pluginData: 'resolved' });
      return { ...found, path: found.path.replace('/dist/cjs/', '/dist/esm/'), sideEffects: false };
    });
  },
};

/** An import of `node:http` reads all that it exports, which loads Node's copy of undici: 12 MiB and 30 ms. A `require` does not. */
const httpWithoutUndici = {
  name: 'http without undici',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^(?:node:)?http$/ }, ({ kind }) =>
      kind === 'import-statement' ? { path: 'node:http', namespace: 'required' } : undefined,
    );
    onLoad({ filter: /./, namespace: 'required' }, ({ path }) => ({ contents: `module.exports = require('${path}');` }));
  },
};

/** Of qrcode the code alone, without what draws it. */
const codeOfQrcode = {
  name: 'code of qrcode',
  setup({ onLoad }) {
    onLoad({ filter: /\/node_modules\/qrcode\/lib\/index\.js$/ }, () => ({ contents: `export { create } from './core/qrcode.js';` }));
  },
};

/** CommonJS packages that run when one of their exports is first used: what reads XML needs 10 ms, and a start has none to read. */
const startedAtFirstUse = {
  name: 'started at first use',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^(?:@xmldom\/xmldom|xml-crypto)$/ }, ({ path, kind, importer }) =>
      kind === 'import-statement' && !importer.includes('/node_modules/') ? { path, namespace: 'at-first-use' } : undefined,
    );
    onLoad({ filter: /./, namespace: 'at-first-use' }, ({ path }) => ({
      contents: `for (const name of ${JSON.stringify(Object.keys(require(path)))})
        Object.defineProperty(exports, name, { enumerable: true, get: () => require('${path}')[name] });`,
      resolveDir: import.meta.dirname,
    }));
  },
};

export const trimmedPackages = [
  ...[withoutExpress, withoutValidators, httpWithoutUndici],
  ...[connectionsOfUndici, modulesOfRxjs, codeOfQrcode, startedAtFirstUse],
];
