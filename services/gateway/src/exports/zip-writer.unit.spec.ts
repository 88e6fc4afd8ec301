import { randomBytes } from 'node:crypto';
import { unzip } from '../testing/unzip.ts';
import { zipEnd } from '@svc/service/files/zip';
import { createZipWriter } from './zip-writer.ts';

const AT = Date.UTC(2026, 0, 15, 12);

test('a file that is written in several processes, and files that are whole, are one ZIP', async () => {
  const [first, second] = [Buffer.from('a,b\r\n'.repeat(5_000)), randomBytes(70_000)];
  const one = createZipWriter({ bytes: 0, files: 0, open: null }, AT);
  one.begin('lines.csv');
  await one.add(first);
  const begun = one.take();
  expect(begun.made.records).toHaveLength(0);

  const other = createZipWriter({ bytes: begun.made.files.length, ...begun.zip }, AT);
  await other.add(second);
  other.end('lines.csv');
  other.begin('empty.txt');
  other.end('empty.txt');
  const { made, zip } = other.take();
  expect([zip, other.held()]).toEqual([{ files: 2, open: null }, 0]);

  const parts = Buffer.concat([begun.made.files, made.files]);
  const end = zipEnd({ files: zip.files, directory: made.records.length, offset: parts.length });
  expect([...unzip(Buffer.concat([parts, made.records, end]))]).toEqual([
    ['lines.csv', Buffer.concat([first, second])],
    ['empty.txt', Buffer.alloc(0)],
  ]);
});
