import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { seeded } from '@svc/kernel/testing/seeded';
import { Disk, type Step } from './disk.ts';

const folder = mkdtempSync(join(tmpdir(), 'svc-disk-'));
afterAll(() => rmSync(folder, { recursive: true }));

const [root, file] = ['/disk', '/disk/file'];
const write = (one: number, text: string): Step => ({ kind: 'write', one, other: text.length, path: file, bytes: Buffer.from(text) });
const step = (kind: Step['kind'], one: number, path = file): Step => ({ kind, one, other: 0, path, bytes: Buffer.alloc(0) });
const synced = (id: number, path = file): Step[] => [step('begin', id, path), step('end', id, path)];
const [old, later] = ['o'.repeat(1_536), 'n'.repeat(32)];
const made = [step('create', 0), write(0, old), ...synced(1), ...synced(2, root)];

/** What the file may hold after a power cut behind these steps: each different text, `.` for a byte of zeros. */
function leftAfter(steps: readonly Step[]): string[] {
  const disk = new Disk(root);
  for (const each of steps) disk.apply(each);
  const random = seeded(1);
  const left = new Set<string>();
  for (let n = 0; n < 200; n += 1) {
    const image = mkdtempSync(join(folder, 'image-')) + '/made';
    disk.writeTo(image, (count) => Math.floor(random() * (count + 1)));
    left.add(readFileSync(join(image, 'file'), 'latin1').replaceAll('\0', '.'));
  }
  return [...left].sort();
}

test('each sector that was written over and is not synced is the old or the new one', () => {
  const [first, second] = ['a'.repeat(512), 'b'.repeat(512)];
  const left = leftAfter([...made, write(0, first + second)]);
  const end = old.slice(1_024);
  const sector = old.slice(0, 512);
  expect(left).toEqual([first + second, first + sector, sector + second, sector + sector].map((begin) => begin + end).sort());
});

test('a file that is cut and not synced has all of what it had, or nothing of it', () => {
  expect(leftAfter([...made, step('cut', 0), write(0, later)])).toEqual(['', '.'.repeat(32), later, old].sort());
});

test('what stands before a cut may be the old or the new one, whether it is cut or not', () => {
  const left = leftAfter([...made, step('cut', 512), write(0, later)]);
  const [begin, rest] = [later + old.slice(32, 512), old.slice(512)];
  expect(left).toEqual([begin, begin + rest, old.slice(0, 512), old].sort());
});
