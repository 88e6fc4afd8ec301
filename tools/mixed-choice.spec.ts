import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { touched } from './mixed-choice.mjs';
import { releasedProjects } from './release/projects.mjs';
import { root } from './setup.mjs';

const services = ['gateway', 'invoicing', 'fiscal-submission', 'webhooks-dispatcher', 'reporting'];
const projects = releasedProjects(root);
const of = (files: string[], commit = '00000000'): string[] => touched({ services, projects, files, commit });

test('chooses the services that a change touches, those with changed files of their own first', () => {
  expect(of(['docs/keys.md', 'services/gateway/README.md'])).toEqual([]);
  expect(of(['services/reporting/src/a.ts', 'services/gateway/src/a.spec.ts'])).toEqual(['reporting']);
  expect(of(['services/reporting/src/a.ts', 'libs/kernel/src/clock.ts'])).toEqual([
    ...['reporting', 'gateway', 'invoicing', 'fiscal-submission', 'webhooks-dispatcher'],
  ]);
});

test('begins with another service for another commit', () =>
  expect(of(['libs/kernel/src/clock.ts'], '00000003')).toEqual([
    ...['webhooks-dispatcher', 'reporting', 'gateway', 'invoicing', 'fiscal-submission'],
  ]));

test.each([
  [['nothing'], 'no such service: nothing; there are: invoicing'],
  [['--minutes', 'x'], '--minutes is a number above 0, not x'],
  [['--since', 'HEAD', '--changed'], 'touches no service'],
])('npm run test:mixed -- %j says what it does not take, before it starts anything', (args, said) => {
  const { stdout, stderr } = spawnSync(process.execPath, [join(root, 'tools/test-mixed.mjs'), ...args], { encoding: 'utf8' });
  expect(stdout + stderr).toContain(said);
});
