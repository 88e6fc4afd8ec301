import nx from '@nx/eslint-plugin';
import { relative } from 'node:path';
import tseslint from 'typescript-eslint';

// Each project is linted from its own folder, and patterns are read from there.
const here = relative(import.meta.dirname, process.cwd());
const of = (project, pattern) => (here === project ? pattern : `${project}/${pattern}`);

const time = (name) => ({ name, message: 'Ask the clock (libs/kernel/src/clock.ts): all of it runs on a fake clock in tests.' });
const timers = ['setTimeout', 'setInterval', 'Date'].map(time);
const timersOfNode = ['node:timers', 'node:timers/promises'].map((name) => ({
  name,
  importNames: ['setTimeout', 'setInterval', 'scheduler'],
  message: 'Ask the clock (libs/kernel/src/clock.ts).',
}));
const hidden = timers.map(({ name: property, message }) => ({ object: 'globalThis', property, message }));
const random = { object: 'Math', property: 'random', message: 'Ids and random bytes are handed in.' };

export default tseslint.config(
  { ignores: ['**/dist/**', '**/node_modules/**', '**/fixtures/**'] },
  { linterOptions: { reportUnusedDisableDirectives: 'error' } },
  ...tseslint.configs.recommended.map((config) => ({ ...config, files: ['**/*.ts'] })),
  {
    files: ['**/*.ts'],
    plugins: { '@nx': nx },
    rules: {
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_', ignoreRestSiblings: true }],
      eqeqeq: ['error', 'always'],
      'no-restricted-globals': ['error', ...timers],
      'no-restricted-properties': ['error', random, ...hidden],
      'no-restricted-imports': ['error', { paths: timersOfNode }],
      'max-lines': ['error', { max: 400 }],
      '@nx/enforce-module-boundaries': [
        'error',
        {
          banTransitiveDependencies: false,
          enforceBuildableLibDependency: false,
          depConstraints: [
            { sourceTag: 'type:lib', onlyDependOnLibsWithTags: ['type:lib'] },
            { sourceTag: 'type:service', onlyDependOnLibsWithTags: ['type:lib'] },
            { sourceTag: 'type:composition', onlyDependOnLibsWithTags: ['type:lib', 'type:service', 'type:testkit'] },
            { sourceTag: 'type:testkit', onlyDependOnLibsWithTags: ['type:lib', 'type:testkit'] },
          ],
        },
      ],
    },
  },
  {
    // The clock is made of them, the calendar reckons with them, ids and tests of real time carry them.
    files: [of('libs/kernel', 'src/{clock,calendar}.ts'), of('libs/testkit', '**/*.ts'), '**/*.spec.ts', '**/*.suite.ts'],
    rules: { 'no-restricted-globals': 'off', 'no-restricted-properties': 'off', 'no-restricted-imports': 'off' },
  },
  {
    files: ['**/domain/**/*.ts', '**/totals/*.ts'],
    ignores: ['**/*.spec.ts'],
    rules: {
      'no-restricted-globals': ['error', ...timers, 'process', 'setImmediate', 'fetch', 'crypto', 'Buffer'],
      'no-restricted-imports': [
        'error',
        {
          patterns: [
            {
              group: ['node:*', '@nestjs/*', 'fastify', 'undici', '@svc/*', '!@svc/kernel', '!@svc/contracts', '!@svc/contracts/*'],
              message: 'domain/ is pure: time, ids and numbers arrive in the command.',
            },
          ],
        },
      ],
    },
  },
);
