import { readFileSync } from 'node:fs';

const swc = JSON.parse(readFileSync(new URL('.swcrc', import.meta.url), 'utf8'));
// Jest reads the sources themselves: imports keep their `.ts`.
const jsc = { ...swc.jsc, rewriteRelativeImportExtensions: false };

export default {
  rootDir: import.meta.dirname,
  roots: ['<rootDir>/libs', '<rootDir>/services', '<rootDir>/emulators', '<rootDir>/tools', '<rootDir>/deploy'],
  // `npm run test:servers` runs what needs real servers, `npm run test:long` what is too long for every change.
  testMatch: process.env.TESTS ? [`**/*.${process.env.TESTS}.spec.ts`] : ['**/*.spec.ts', '!**/*.{servers,long}.spec.ts'],
  // Much of a run is waiting: for programs that start, for clocks, for what a fault does. Jest's own choice leaves a processor idle.
  maxWorkers: '100%',
  testSequencer: '<rootDir>/tools/slowest-first.mjs',
  testEnvironment: 'node',
  testEnvironmentOptions: { customExportConditions: ['@svc/source', 'node', 'import', 'default'] },
  // Its ESM form wraps its CommonJS one, which Jest refuses to require while Nest's own import of it is still under way.
  moduleNameMapper: { '^tslib$': '<rootDir>/node_modules/tslib/tslib.js' },
  extensionsToTreatAsEsm: ['.ts'],
  transform: { '^.+\\.ts$': ['@swc/jest', { ...swc, jsc, $schema: undefined, swcrc: false, sourceMaps: 'inline' }] },
  modulePathIgnorePatterns: ['<rootDir>/.*/dist/'],
  setupFiles: ['reflect-metadata'],
  // For what hangs: no test is about speed, and two processors may be shared with three servers.
  testTimeout: 240_000,
};
