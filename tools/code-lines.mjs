// node tools/code-lines.mjs [commit] [path …]: lines of code (no blank lines, no comments) and of text by project, at a commit and in HEAD. Paths, as in git,
// choose what is counted: `services/invoicing/src/invoice`. Tests, fixtures, the rig and what is generated are counted apart from production code.
import { execFileSync } from 'node:child_process';
import { root } from './setup.mjs';

const git = (args, input) => execFileSync('git', args, { cwd: root, input, encoding: 'utf8', maxBuffer: 256 * 1024 * 1024 });

const kinds = [
  ['tests', /\.(spec|suite)\.ts$|\/testing\/|\/fixtures\/|^libs\/testkit\/|^tests\//],
  // Also at their earlier paths, before they had folders of their own.
  ['rig', /^(emulators|rig)\/|^libs\/event-store\/(src\/double|probes)|^deploy\/(servers|kubernetes)\//],
  ['tools', /^(tools|bench|deploy)\//],
  ['generated', /\/generated\.ts$/],
  ['production', /^(libs|services)\//],
];
const kindOf = (path) => kinds.find(([, pattern]) => pattern.test(path))?.[0];
const projectOf = (path) => path.split('/').slice(0, 2).join('/');

/** Lines with code: a block comment beside code does not exclude its line. */
const codeLines = (text) =>
  text
    .replace(/^\s*\/\*[\s\S]*?\*\/\s*$/gm, '')
    .split('\n')
    .filter((line) => line.trim() !== '' && !/^\s*\/\//.test(line)).length;

const none = { files: 0, code: 0, text: 0 };

/** Counts by kind and project of the commit's files. */
function count(commit, paths) {
  const files = git(['ls-tree', '-r', '--name-only', commit, '--', ...paths])
    .split('\n')
    .filter((path) => /\.(ts|mts|mjs)$/.test(path) && kindOf(path));
  const counts = new Map();
  for (const path of files) {
    const key = kindOf(path) === 'production' ? `production ${projectOf(path)}` : kindOf(path);
    const total = counts.get(key) ?? none;
    const text = git(['show', `${commit}:${path}`]);
    counts.set(key, { files: total.files + 1, code: total.code + codeLines(text), text: total.text + text.split('\n').length - 1 });
  }
  return counts;
}

const [first = 'HEAD', ...paths] = process.argv.slice(2);
const [before, after] = [count(first, paths), count('HEAD', paths)];
const rows = [...new Set([...before.keys(), ...after.keys()])].sort().map((key) => [key, before.get(key) ?? none, after.get(key) ?? none]);
const add = (one, other) => ({ files: one.files + other.files, code: one.code + other.code, text: one.text + other.text });
const sum = (at) => rows.filter(([key]) => key.startsWith('production ')).reduce((all, row) => add(all, row[at]), none);
const say = ({ files, code, text }) => `${code} of code, ${text} of text in ${files} files`;
for (const [key, then, now] of [...rows, ['production', sum(1), sum(2)]])
  console.log(`${key.padEnd(44)} ${first.slice(0, 12)}: ${say(then)}   HEAD: ${say(now)}`);
