import { spawnSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = new URL('..', import.meta.url).pathname;
const env = { ...process.env, NX_DAEMON: 'false', NX_TUI: 'false', NX_ISOLATE_PLUGINS: 'false' };
const nx = (args: string[]) => spawnSync(join(root, 'node_modules/.bin/nx'), args, { cwd: root, env, encoding: 'utf8', timeout: 120_000 });

interface Probe {
  /** The path that the text is linted as. */
  file: string;
  text: string;
  /** The rule that has to report it; undefined: none. */
  rule: string | undefined;
}

const boundaries = '@nx/enforce-module-boundaries';
const domain = 'services/invoicing/src/invoice/domain/probe.ts';
const list: [string, Probe][] = [
  [
    'a statement that SQLite compiles at each execution',
    {
      file: 'libs/document-store/src/embedded/probe.ts',
      text: 'export const text = (from: string) => `SELECT 1 FROM ${from} LIMIT ?`;',
      rule: 'no-restricted-syntax',
    },
  ],
  [
    'the same in a text that is whole',
    { file: 'services/standalone/src/probe.ts', text: "export const text = 'SELECT 1 LIMIT 9 OFFSET ?';", rule: 'no-restricted-syntax' },
  ],
  [
    'a service that imports a service',
    { file: 'services/reporting/src/probe.ts', text: `export * from '@svc/invoicing';`, rule: boundaries },
  ],
  [
    'the same by its path',
    { file: 'services/reporting/src/probe.ts', text: `export * from '../../invoicing/src/index.ts';`, rule: boundaries },
  ],
  [
    'the same, when it is called',
    { file: 'services/gateway/src/probe.ts', text: `export const late = () => import('@svc/fiscal-submission');`, rule: boundaries },
  ],
  [
    'the simulator that looks into an adapter',
    { file: 'services/authority-simulator/src/probe.ts', text: `export * from '@svc/fiscal-submission';`, rule: boundaries },
  ],
  [
    'a library that imports a service',
    { file: 'libs/document-store/src/probe.ts', text: `export * from '@svc/gateway';`, rule: boundaries },
  ],
  [
    'a service that ships the test kit',
    { file: 'services/reporting/src/probe.ts', text: `export * from '@svc/testkit';`, rule: boundaries },
  ],
  ...[
    ['a service', 'services/invoicing/src/probe.ts'],
    ['a library', 'libs/event-store/src/eventstoredb/probe.ts'],
    ['the test kit', 'libs/testkit/src/probe.ts'],
    ['the composition', 'services/standalone/src/probe.ts'],
  ].map(([who, file]): [string, Probe] => [
    `${who} that imports an emulator`,
    { file: file as string, text: `export * from '@svc/eventstoredb-emulator';`, rule: boundaries },
  ]),
  [
    'the same by its path',
    {
      file: 'libs/event-store/src/probe.ts',
      text: `export * from '../../../rig/eventstoredb/src/server.ts';`,
      rule: boundaries,
    },
  ],
  ...['libs/event-store/src/probe.int.spec.ts', 'libs/event-store/src/probe.suite.ts', 'tests/e2e/probe.e2e.spec.ts'].map(
    (file): [string, Probe] => [
      `a test that imports an emulator: ${file}`,
      { file, text: `export * from '@svc/eventstoredb-emulator';`, rule: undefined },
    ],
  ),
  [
    'a test that imports a service',
    { file: 'services/reporting/src/probe.int.spec.ts', text: `export * from '@svc/invoicing';`, rule: boundaries },
  ],
  [
    'an emulator that imports a service',
    { file: 'rig/eventstoredb/src/probe.ts', text: `export * from '@svc/invoicing';`, rule: boundaries },
  ],
  ['a service that imports a library', { file: 'services/reporting/src/probe.ts', text: `export * from '@svc/kernel';`, rule: undefined }],
  [
    'the composition that imports a service',
    { file: 'services/standalone/src/probe.ts', text: `export * from '@svc/invoicing';`, rule: undefined },
  ],
  ...[
    ['a service that imports the engine', 'services/invoicing/src/probe.ts', `export * from '@svc/embedded';`, false],
    ['a library that imports it later', 'libs/service/src/probe.ts', `export const x = () => import('@svc/embedded/format');`, false],
    [
      'a service that asks for its bus',
      'services/gateway/src/probe.ts',
      `import { EmbeddedBus } from '@svc/event-bus';\nexport const x = (bus: object): boolean => bus instanceof EmbeddedBus;`,
      false,
    ],
    [
      'a service that opens its adapter',
      'services/reporting/src/probe.ts',
      `import { embeddedDocumentStore } from '@svc/document-store';\nexport const x = embeddedDocumentStore;`,
      false,
    ],
    ['an adapter that imports the engine', 'libs/event-store/src/embedded/probe.ts', `export * from '@svc/embedded';`, true],
    ['the composition that imports the engine', 'services/standalone/src/probe.ts', `export * from '@svc/embedded';`, true],
    ['a test that imports the engine', 'services/gateway/src/probe.int.spec.ts', `export * from '@svc/embedded';`, true],
  ].map(([what, file, text, isAllowed]): [string, Probe] => [
    String(what),
    { file: String(file), text: String(text), rule: isAllowed ? undefined : 'no-restricted-syntax' },
  ]),

  [
    'domain/ that does I/O',
    { file: domain, text: `import { readFileSync } from 'node:fs';\nexport const x = readFileSync('x');`, rule: 'no-restricted-imports' },
  ],
  [
    'domain/ that imports Nest',
    { file: domain, text: `import { Injectable } from '@nestjs/common';\nexport const x = Injectable;`, rule: 'no-restricted-imports' },
  ],
  [
    'domain/ that imports a port',
    {
      file: domain,
      text: `import { createSequence } from '@svc/event-store';\nexport const x = createSequence;`,
      rule: 'no-restricted-imports',
    },
  ],
  [
    'domain/ that imports the kernel',
    { file: domain, text: `import { notFound } from '@svc/kernel';\nexport const x = notFound;`, rule: undefined },
  ],
  ['domain/ that asks what day it is', { file: domain, text: `export const x = (): Date => new Date();`, rule: 'no-restricted-globals' }],
  [
    'domain/ that asks what time it is',
    { file: domain, text: `export const x = (): number => Date.now();`, rule: 'no-restricted-globals' },
  ],
  ['domain/ that rolls dice', { file: domain, text: `export const x = (): number => Math.random();`, rule: 'no-restricted-properties' }],
  ['domain/ that reads the environment', { file: domain, text: `export const x = process.env['X'];`, rule: 'no-restricted-globals' }],
  ...[
    `import { readFileSync as x } from 'fs';\nexport { x };`,
    `import { randomUUID as x } from 'crypto';\nexport { x };`,
    `import { setTimeout as x } from 'timers/promises';\nexport { x };`,
    `import { Agent as x } from 'undici';\nexport { x };`,
    `import x from 'a-library';\nexport { x };`,
    `import type { Recorded } from '@svc/event-store/port';\nexport type X = Recorded;`,
    `export * from '@svc/kernel/clock';`,
  ].map((text): [string, Probe] => [`domain/: ${text.split('\n')[0]}`, { file: domain, text, rule: 'no-restricted-imports' }]),
  ...[
    `export const x = performance.now();`,
    `export const x = globalThis.process.env;`,
    `export const x = globalThis.crypto.randomUUID();`,
    `export const x = globalThis.performance.now();`,
    `export const { process: x } = globalThis;`,
    `export const x = global.process;`,
  ].map((text): [string, Probe] => [`domain/: ${text}`, { file: domain, text, rule: 'no-restricted-globals' }]),
  [
    'domain/ that imports when it is called',
    { file: domain, text: `export const x = () => import('node:fs');`, rule: 'no-restricted-syntax' },
  ],
  ...(
    [
      ['invoice', '../resource.ts', 'what lies above it in its own folder'],
      ['invoice', '../../receipt/domain/state.ts', 'the other document'],
      ['receipt', '../../invoice/domain/state.ts', 'the other document'],
      ['document', '../../invoice/domain/state.ts', 'a document that is built on it'],
      ['issuer', '../../document/domain/parties.ts', 'documents'],
      ['customer', '../../issuer/domain/state.ts', 'a folder above it'],
      ['numbering', '../../customer/domain/state.ts', 'a folder of its own level'],
      ['document', '../../numbering/take-number.ts', 'what is not domain/ of a folder below it'],
      ['invoice', '../../context.ts', 'what every use case works with'],
      ['invoice', '@svc/service', 'the service library'],
    ] as const
  ).map(([folder, from, what]): [string, Probe] => [
    `domain/ of ${folder} that imports ${what}: ${from}`,
    { file: `services/invoicing/src/${folder}/domain/probe.ts`, text: `export * from '${from}';`, rule: 'no-restricted-imports' },
  ]),
  [
    'totals that import a document',
    { file: 'libs/totals/src/probe.ts', text: `export * from '@svc/service';`, rule: 'no-restricted-imports' },
  ],
  ...(
    [
      ['invoice', ['./state.ts', '@svc/totals/terms', '../../document/domain/parties.ts', '../../issuer/domain/state.ts']],
      ['receipt', ['@svc/kernel', '@svc/tax-rules', '@svc/contracts/document/vocabulary', '../../numbering/domain/numbering.ts']],
      ['document', ['../../customer/domain/state.ts', '../../numbering/domain/numbering.ts', '@svc/totals/terms']],
    ] as const
  ).map(([folder, from]): [string, Probe] => [
    `domain/ of ${folder} that imports its own files and what lies below them`,
    {
      file: `services/invoicing/src/${folder}/domain/probe.ts`,
      text: from.map((path) => `export * from '${path}';\n`).join(''),
      rule: undefined,
    },
  ]),
  [
    'domain/ of another service',
    {
      file: 'services/fiscal-submission/src/submission/domain/probe.ts',
      text: `export const x = process.env['X'];`,
      rule: 'no-restricted-globals',
    },
  ],

  [
    'a timer beside the clock',
    { file: 'libs/service/src/probe.ts', text: `setTimeout(() => undefined, 1);`, rule: 'no-restricted-globals' },
  ],
  ['an interval', { file: 'services/gateway/src/probe.ts', text: `setInterval(() => undefined, 1);`, rule: 'no-restricted-globals' }],
  [
    'a date beside the clock',
    { file: 'services/webhooks-dispatcher/src/probe.ts', text: `export const x = Date.now();`, rule: 'no-restricted-globals' },
  ],
  [
    'a timer by the global object',
    { file: 'libs/document-store/src/probe.ts', text: `globalThis.setTimeout(() => undefined, 1);`, rule: 'no-restricted-properties' },
  ],
  [
    'a timer of node',
    {
      file: 'libs/document-store/src/probe.ts',
      text: `import { setTimeout as sleep } from 'node:timers/promises';\nawait sleep(1);`,
      rule: 'no-restricted-imports',
    },
  ],
  ...[
    `import timers from 'node:timers/promises';\nexport { timers };`,
    `import * as timers from 'node:timers';\nexport { timers };`,
    `export { setInterval } from 'node:timers';`,
    `import { performance } from 'node:perf_hooks';\nexport { performance };`,
    `import { setTimeout as sleep } from 'timers/promises';\nexport { sleep };`,
    `import { setTimeout as later } from 'timers';\nexport { later };`,
    `import { readFileSync } from 'fs';\nexport { readFileSync };`,
    `import { randomBytes } from 'crypto';\nexport { randomBytes };`,
  ].map((text): [string, Probe] => [
    text.split('\n')[0] as string,
    { file: 'libs/document-store/src/probe.ts', text, rule: 'no-restricted-imports' },
  ]),
  ...['node:timers', 'timers/promises', 'perf_hooks'].map((name): [string, Probe] => [
    `${name}, when it is called`,
    { file: 'libs/document-store/src/probe.ts', text: `export const x = () => import('${name}');`, rule: 'no-restricted-syntax' },
  ]),
  [
    'a timer by the other name of the global object',
    { file: 'libs/document-store/src/probe.ts', text: `global.setTimeout(() => undefined, 1);`, rule: 'no-restricted-properties' },
  ],
  [
    'the time since the start',
    { file: 'libs/document-store/src/probe.ts', text: `export const x = performance.now();`, rule: 'no-restricted-globals' },
  ],
  [
    'the next turn',
    { file: 'libs/document-store/src/probe.ts', text: `export { setImmediate } from 'node:timers/promises';`, rule: undefined },
  ],
  ['dice anywhere', { file: 'libs/event-store/src/probe.ts', text: `export const x = Math.random();`, rule: 'no-restricted-properties' }],
  [
    'the clock itself',
    {
      file: 'libs/kernel/src/clock.ts',
      text: `export const x = (): number => Date.now();\nsetTimeout(() => undefined, 1);`,
      rule: undefined,
    },
  ],
  [
    'a test of real time',
    { file: 'libs/document-store/src/probe.int.spec.ts', text: `export const x = (): number => Date.now();`, rule: undefined },
  ],

  [
    'any',
    {
      file: 'libs/document-store/src/probe.ts',
      text: `export const x = (y: any): unknown => y;`,
      rule: '@typescript-eslint/no-explicit-any',
    },
  ],
  [
    'a file of 401 lines',
    { file: 'libs/document-store/src/probe.ts', text: '// x\n'.repeat(400) + 'export const x = 1;', rule: 'max-lines' },
  ],
];

/**
 * Lints texts as the content of files, each from its project's folder, as `nx lint` does. The configuration depends on that folder, so it is
 * loaded for each. Runs in one process, because loading the linter takes longer than linting.
 */
const script = `
import { ESLint } from 'eslint';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
const [root, byProject] = JSON.parse(process.argv[1]);
const found = [];
for (const [project, probes] of byProject) {
  process.chdir(join(root, project));
  const config = await import(pathToFileURL(join(root, 'eslint.config.mjs')).href + '?' + project);
  const eslint = new ESLint({ cwd: process.cwd(), overrideConfigFile: true, overrideConfig: config.default });
  for (const { file, text } of probes) {
    const [{ messages }] = await eslint.lintText(text, { filePath: join(root, file) });
    found.push([file + text, messages.filter(({ severity }) => severity === 2).map(({ ruleId, message }) => ruleId ?? message)]);
  }
}
console.log(JSON.stringify(found));
`;

function lint(byProject: [project: string, probes: Probe[]][]): [string, string[]][] {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', script, JSON.stringify([root, byProject])], {
    cwd: root,
    env,
    encoding: 'utf8',
    timeout: 120_000,
  });
  if (status !== 0 || /No cached ProjectGraph/.test(stdout + stderr)) throw new Error(`${stdout}\n${stderr}`);
  return JSON.parse(stdout.trim().split('\n').at(-1) as string) as [string, string[]][];
}

const found = new Map<string, string[]>();
beforeAll(() => {
  // The rule about modules needs the project graph of Nx, and reports nothing without one.
  expect(nx(['show', 'projects']).stdout).toMatch(/^invoicing$/m);
  const byProject = Map.groupBy(
    list.map(([, probe]) => probe),
    ({ file }) => file.split('/').slice(0, 2).join('/'),
  );
  for (const [key, rules] of lint([...byProject])) found.set(key, rules);
}, 300_000);

test.each(list)('%s', (_, { file, text, rule }) => {
  const rules = found.get(file + text);
  if (rule === undefined) expect(rules).toEqual([]);
  else expect(rules).toContain(rule);
});

test('npm run lint applies the same rules: a file with a forbidden import fails it', () => {
  const project = join(root, 'services/reporting');
  const { scripts } = JSON.parse(readFileSync(join(project, 'package.json'), 'utf8')) as { scripts: { lint: string } };
  const [program, ...args] = scripts.lint.split(' ');
  expect([program, args.pop()]).toEqual(['eslint', '.']);
  // By the command of the project, from its folder; no file is written, since other checks read the sources meanwhile.
  const { status, stdout, stderr } = spawnSync(
    join(root, 'node_modules/.bin/eslint'),
    [...args, '--stdin', '--stdin-filename', 'src/boundary-probe.ts'],
    { cwd: project, env, input: `export * from '@svc/invoicing';\n`, encoding: 'utf8' },
  );
  expect(stdout + stderr).toContain(boundaries);
  expect(status).toBe(1);
});

test('each project is linted by the same command', () => {
  const commands = globSync('{libs,services,rig}/*/package.json', { cwd: root }).map((path) => {
    const { scripts } = JSON.parse(readFileSync(join(root, path), 'utf8')) as { scripts?: { lint?: string } };
    return scripts?.lint;
  });
  expect(new Set(commands)).toEqual(new Set(['eslint --config ../../eslint.config.mjs .']));
});
