import nx from '@nx/eslint-plugin';
import { globSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { basename, dirname, relative } from 'node:path';
import hooks from 'eslint-plugin-react-hooks';
import tseslint from 'typescript-eslint';

// Each project is linted from its own folder, and patterns are read from there.
const here = relative(import.meta.dirname, process.cwd());
const of = (project, pattern) => (here === project ? pattern : `${project}/${pattern}`);

const time = (name) => ({ name, message: 'Ask the clock (libs/kernel/src/clock.ts): all of it runs on a fake clock in tests.' });
const timers = ['setTimeout', 'setInterval', 'Date', 'performance'].map(time);
const hidden = timers.flatMap(({ name: property, message }) => ['globalThis', 'global'].map((object) => ({ object, property, message })));
const random = { object: 'Math', property: 'random', message: 'Ids and random bytes are handed in.' };
const timersOfNode = [
  ...['node:timers', 'node:timers/promises'].map((name) => ({ ...time(name), allowImportNames: ['setImmediate'] })),
  { ...time('node:perf_hooks'), importNames: ['performance', 'default'] },
];
// One name for each builtin, so that no other one goes round a rule.
const bareBuiltins = builtinModules
  .filter((name) => !/^(_|node:)/.test(name))
  .map((name) => ({ name, message: `A builtin is imported as node:${name}.` }));
const timersLater = {
  selector: 'ImportExpression[source.value=/^(node:)?(timers|perf_hooks)(\\u002F|$)/]',
  message: 'Ask the clock (libs/kernel/src/clock.ts).',
};
/** SQLite compiles a statement anew each time where a parameter without a type is its limit (sqlite3_bind, "may be reprepared"). */
const limits = ['Literal[value=', 'TemplateElement[value.raw='].map((node) => ({
  selector: `${node}/\\b(LIMIT|OFFSET) \\?/i]`,
  message: 'SQLite compiles this at each execution: LIMIT CAST(? AS INTEGER).',
}));
/** What names the embedded engine: its adapters and the composition alone. */
const engine = [
  {
    selector:
      ':matches(ImportDeclaration, ImportExpression, ExportAllDeclaration, ExportNamedDeclaration)[source.value=/^@svc\\u002Fembedded(\\u002F|$)/]',
    message: 'Only the composition and the adapters know the embedded engine: say what is meant as an operation of a port.',
  },
  {
    selector: 'Identifier[name=/^[eE]mbedded(Bus|Document|Event|Store|Engine)|^is(On)?(Embedded|Engine|Sqlite)/]',
    message: 'No question which engine runs: say what is meant as an operation of a port.',
  },
];
const tests = ['**/*.spec.ts', '**/*.suite.ts', '**/testing/**', of('tests', '**/*.ts')];
/** Which projects may be imported, by the kind of the importing one; `emulators`: their tag, in tests alone. */
const boundaries = (...emulators) => [
  'error',
  {
    banTransitiveDependencies: false,
    enforceBuildableLibDependency: false,
    depConstraints: [
      ['type:lib', ['type:lib']],
      ['type:service', ['type:lib']],
      ['type:pages', ['lib:client']],
      ['type:composition', ['type:lib', 'type:service', 'type:testkit']],
      ['type:testkit', ['type:lib', 'type:testkit']],
      ['type:tests', ['type:lib', 'type:service', 'type:composition', 'type:testkit']],
      ['type:emulator', ['type:lib']],
    ].map(([sourceTag, tags]) => ({ sourceTag, onlyDependOnLibsWithTags: [...tags, ...emulators] })),
  },
];
const pure = 'domain/ is pure: time, ids and numbers arrive in the command.';
/** Folders of invoicing with domain/ in them, lowest first: each may import what is below it. Those of one level do not know each other. */
const shared = [['numbering', 'customer', 'product'], ['issuer'], ['document']];
/** Every other one: `invoice`, `receipt`. */
const documents = globSync('services/invoicing/src/*/domain', { cwd: import.meta.dirname })
  .map((path) => basename(dirname(path)))
  .filter((folder) => !shared.flat().includes(folder));
const levels = [...shared, documents];
/** What domain/ and totals may import: their own files, the kernel, published shapes, tax rules, totals, and domain/ of the folders `below`. */
const importsOf = (below) => [
  'error',
  {
    patterns: [
      {
        regex: `^(?!\\./[^/]+$|@svc/kernel$|@svc/(contracts|tax-rules|totals)(/|$)${below.map((folder) => `|(\\.\\./)+${folder}/domain/[^/]+$`).join('')})`,
        message: `${pure} It imports nothing but the kernel, contracts, tax rules, totals and domain/ of the folders below its own.`,
      },
    ],
  },
];

export default tseslint.config(
  { ignores: ['**/dist/**', '**/node_modules/**', '**/fixtures/**', '**/generated.ts'] },
  { linterOptions: { reportUnusedDisableDirectives: 'error' } },
  ...tseslint.configs.recommended.map((config) => ({ ...config, files: ['**/*.{ts,tsx}'] })),
  {
    files: ['**/*.{ts,tsx}'],
    plugins: { '@nx': nx },
    rules: {
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_', ignoreRestSiblings: true }],
      eqeqeq: ['error', 'always'],
      'no-restricted-globals': ['error', ...timers],
      'no-restricted-properties': ['error', random, ...hidden],
      'no-restricted-imports': ['error', { paths: [...timersOfNode, ...bareBuiltins] }],
      'no-restricted-syntax': ['error', timersLater, ...limits, ...engine],
      'max-lines': ['error', { max: 400 }],
      '@nx/enforce-module-boundaries': boundaries(),
    },
  },
  { files: tests, rules: { '@nx/enforce-module-boundaries': boundaries('type:emulator') } },
  {
    // The engine, its adapters, the composition; the simulator's ledger is a file of its own.
    files: [
      of('libs/embedded', '**/*.ts'),
      '**/embedded/**/*.ts',
      ...['embedded-bus', 'index'].map((name) => of('libs/event-bus', `src/${name}.ts`)),
      ...['document-store', 'event-store'].map((name) => of(`libs/${name}`, 'src/index.ts')),
      of('services/standalone', '**/*.ts'),
      of('services/authority-simulator', 'src/ledger.ts'),
    ],
    rules: { 'no-restricted-syntax': ['error', timersLater, ...limits] },
  },
  {
    // These judge what is no project, too: the rig, the charts, the tools.
    files: [of('tests', '**/*.ts')],
    rules: {
      '@nx/enforce-module-boundaries': boundaries('type:emulator').map((rule) =>
        typeof rule === 'string' ? rule : { ...rule, allow: ['^(\\.\\./)+(rig|tools|deploy|helm)/'] },
      ),
    },
  },
  {
    // The clock is made of them and reckons with them; ids and tests of real time carry them; programs of others have no clock of ours.
    files: [
      of('libs/kernel', 'src/{clock,fake-clock}.ts'),
      of('libs/client', 'src/verify-webhook.ts'),
      of('libs/testkit', '**/*.ts'),
      // A browser has its own.
      of('services/dashboard', '**/*.{ts,tsx}'),
      ...tests,
    ],
    rules: {
      'no-restricted-globals': 'off',
      'no-restricted-properties': 'off',
      'no-restricted-imports': 'off',
      'no-restricted-syntax': 'off',
    },
  },
  { ...hooks.configs.flat.recommended, files: [of('services/dashboard', '**/*.{ts,tsx}')] },
  {
    files: ['**/domain/**/*.ts', of('libs/totals', 'src/**/*.ts')],
    ignores: tests,
    rules: {
      'no-restricted-globals': ['error', ...timers, 'process', 'setImmediate', 'fetch', 'crypto', 'Buffer', 'globalThis', 'global'],
      'no-restricted-imports': importsOf([]),
      'no-restricted-syntax': ['error', { selector: 'ImportExpression', message: pure }],
    },
  },
  ...levels.map((level, n) => ({
    files: level.map((folder) => `**/${folder}/domain/**/*.ts`),
    ignores: tests,
    rules: { 'no-restricted-imports': importsOf(levels.slice(0, n).flat()) },
  })),
  // A submission knows the link of its record.
  { files: ['**/submission/domain/**/*.ts'], ignores: tests, rules: { 'no-restricted-imports': importsOf(['chain']) } },
);
