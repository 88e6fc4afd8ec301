import { readFileSync } from 'node:fs';

const swc = JSON.parse(readFileSync(new URL('.swcrc', import.meta.url), 'utf8'));

export default {
  rootDir: import.meta.dirname,
  roots: ['<rootDir>/libs', '<rootDir>/services', '<rootDir>/tools'],
  testMatch: ['**/*.spec.ts'],
  testEnvironment: 'node',
  testEnvironmentOptions: { customExportConditions: ['@svc/source', 'node', 'import', 'default'] },
  extensionsToTreatAsEsm: ['.ts'],
  transform: { '^.+\\.ts$': ['@swc/jest', { ...swc, $schema: undefined, swcrc: false, sourceMaps: 'inline' }] },
  modulePathIgnorePatterns: ['<rootDir>/.*/dist/'],
  setupFiles: ['reflect-metadata'],
  testTimeout: 30_000,
};
