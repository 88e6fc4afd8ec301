import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';

const swc = JSON.parse(readFileSync(new URL('.swcrc', import.meta.url), 'utf8'));
// Jest reads the sources themselves: imports keep their `.ts`.
const jsc = { ...swc.jsc, rewriteRelativeImportExtensions: false };

const emulator = `${import.meta.dirname}/rig/eventstoredb/**/*.spec.ts`;
/** What TESTS names: `npm test` runs all, or all but what is the own of the emulator of EventStoreDB; the others are what the commands of their names run. */
const matches = {
  all: ['**/*.spec.ts', '!**/*.{servers,long,charts,browser}.spec.ts'],
  product: ['**/*.spec.ts', '!**/*.{servers,long,charts,browser}.spec.ts', `!${emulator}`],
  browser: ['**/*.browser.spec.ts'],
  servers: ['**/*.servers.spec.ts', '**/tests/{e2e,authorities}/*.e2e.spec.ts', '!**/*.embedded.e2e.spec.ts'],
  charts: ['**/*.charts.spec.ts'],
  long: ['**/*.long.spec.ts', emulator, '!**/*.servers.spec.ts'],
};

const tests = process.env.TESTS || 'all';

export default {
  rootDir: import.meta.dirname,
  roots: ['libs', 'services', 'tests', 'rig', 'tools', 'deploy', 'helm'].map((folder) => `<rootDir>/${folder}`),
  testMatch: matches[tests],
  // Four workers on two processors: much of `npm test` is waiting, for programs that start, for clocks, for what a fault does. Three of other tests, whose
  // files start several processes or a browser. A number, since Jest takes a percentage above 100 for a number of workers.
  maxWorkers: Math.ceil(availableParallelism() * (['all', 'product'].includes(tests) ? 2 : 1.5)),
  cacheDirectory: '<rootDir>/node_modules/.cache/jest',
  testSequencer: '<rootDir>/tools/longest-first.mjs',
  reporters: ['default', '<rootDir>/tools/profile.mjs'],
  testEnvironment: '<rootDir>/tools/test-environment.mjs',
  runtime: '<rootDir>/tools/test-runtime.mjs',
  // What the test files of a worker have loaded stays in it: one that holds more than this is replaced.
  workerIdleMemoryLimit: '1500MB',
  transform: { '^.+\\.ts$': ['@swc/jest', { ...swc, jsc, $schema: undefined, swcrc: false, sourceMaps: true }] },
  modulePathIgnorePatterns: ['<rootDir>/.*/dist/'],
  setupFiles: ['reflect-metadata'],
  // For what hangs: no test is about speed, and two processors may be shared with three servers.
  testTimeout: 240_000,
};
