import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');
const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: Record<string, string> };
/** Those that are a program of their own, whose help is tested with it. */
const OWN = ['start', 'start:services', 'svc', 'topics', 'servers', 'cluster'];
const commands = Object.entries(scripts).filter(([name, run]) => run.startsWith('node tools/run.mjs ') && !OWN.includes(name));

test.each(commands.map(([name]) => name))('npm run %s -- --help says what it does, and does nothing', (name) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(root, 'tools/run.mjs'), name, '--help'], { encoding: 'utf8' });
  expect([status, stderr]).toEqual([0, '']);
  expect(stdout).toMatch(name === 'test' ? /^npm test/ : new RegExp(`^npm run ${name}\\b`));
});
