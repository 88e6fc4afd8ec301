import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '@svc/testkit';

/** Words of a private language, and those of the field in their place. */
const refused: [word: RegExp, instead: string][] = [
  [/follower/i, 'subscription'],
  [/letter[- ]?book|\w(?<![Dd]ead)Letter/, 'dead letter'],
  [/\bleft ?out\b|\bleav(?:e|es|ing) out\b/i, 'omitted, skipped'],
  [/\btold\b|\bis ?told\b/i, 'reported, informed'],
  [/\brooms?\b/i, 'capacity, space'],
  [/\blying\b/i, 'pending'],
  [/\bseal(?:s|ed|ing)?\b/i, 'encrypted'],
];

const excepted: [file: RegExp, line: RegExp, why: string][] = [
  [/^libs\/contracts\/src\//, /left_out|left out|leave out|has room for/i, 'text of the released API'],
  [/^libs\/totals\/src\/explain\.ts$/, /left_out/, 'a field of the released API'],
  [/\/(?:subject-keys|peppers|row|store|ciphertexts)\.ts$/, /sealed/, 'a field of stored rows'],
  [/^libs\/event-store\/src\/subscription\/lag\.ts$|^docs\/observability\.md$/, /follower/, 'the released name of a metric'],
  [
    /^libs\/service\/src\/config\/server-rules\.ts$|^rig\/eventstoredb\//,
    /follower/,
    'the role of a node of EventStoreDB, and what its probes recorded',
  ],
];

/** What ships and what is read: no tests, no generated API, nothing of a release. */
const files = execFileSync('git', ['ls-files', '*.ts', '*.mjs', '*.md', '*.tpl', '*.yaml'], { cwd: root, encoding: 'utf8' })
  .split('\n')
  .filter((file) => file !== '' && !/\.(?:spec|suite)\.ts$|\/testing\/|^tests\/|^releases\/|CHANGELOG|^libs\/client\//.test(file));

test('names, comments and pages use the words of the field', () => {
  const found = files.flatMap((file) =>
    readFileSync(join(root, file), 'utf8')
      .split('\n')
      .flatMap((line, n) =>
        refused
          .filter(([word]) => word.test(line) && !excepted.some(([path, text]) => path.test(file) && text.test(line)))
          .map(([, instead]) => `${file}:${n + 1}: ${line.trim()} (${instead})`),
      ),
  );
  expect(found).toEqual([]);
});

test('each exception is one', () => {
  const used = excepted.filter(([path, text]) =>
    files.some((file) => path.test(file) && text.test(readFileSync(join(root, file), 'utf8'))),
  );
  expect(excepted.filter((one) => !used.includes(one))).toEqual([]);
});
