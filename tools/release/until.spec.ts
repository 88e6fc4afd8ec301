import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { root } from '../setup.mjs';
import { releasesOf } from './releases.mjs';
import { endedBy, endless, shownLines } from './until.mjs';

const released = releasesOf(root, 'gateway').map(({ version }) => version);

test('no line serves a release that a released one has ended, and what speaks of a release says which one ends it', () => {
  expect(released).not.toEqual([]);
  for (const version of released) expect(shownLines(endedBy(root, version))).toBe('');
  expect(shownLines(endless(root, released))).toBe('');
});

test('a release is refused what it ends, and no earlier one is', () => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-until-'));
  const file = 'services/shop/src/till.ts';
  mkdirSync(join(folder, dirname(file)), { recursive: true });
  writeFileSync(join(folder, file), '// until 0.3: rows of 0.1.0\nconst a = 1;\n\n\n\n/** 0.1.0 has none. */\n');
  const line = { file, line: 1, text: '// until 0.3: rows of 0.1.0' };
  expect([endedBy(folder, '0.2.9'), endedBy(folder, '0.3.0'), endedBy(folder, '1.0.0')]).toEqual([[], [line], [line]]);
  writeFileSync(join(folder, file), 'const a = 1; // until 0.3\n\n\n\n\n/** 0.1.0 has none. */\n');
  expect(endless(folder, ['0.1.0'])).toEqual([{ file, line: 6, text: '/** 0.1.0 has none. */' }]);
  rmSync(folder, { recursive: true });
});

test('an address is no release', () => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-until-'));
  const file = 'services/shop/src/till.ts';
  mkdirSync(join(folder, dirname(file)), { recursive: true });
  writeFileSync(join(folder, file), '/** Networks, such as 192.0.2.0/24 or 0.2.0.1. */\n');
  expect(endless(folder, ['0.2.0', '2.0.0'])).toEqual([]);
  writeFileSync(join(folder, file), '/** Absent in 0.2.0. */\n');
  expect(endless(folder, ['0.2.0'])).toHaveLength(1);
  rmSync(folder, { recursive: true });
});
