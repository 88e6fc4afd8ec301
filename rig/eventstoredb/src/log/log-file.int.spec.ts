import { appendFileSync, mkdtempSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LogFile } from './log-file.ts';

const folder = mkdtempSync(join(tmpdir(), 'log-file-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let files = 0;
const newPath = (): string => join(folder, `${(files += 1)}.log`);
const open = async (path: string): Promise<{ log: LogFile; found: string[] }> => {
  const found: string[] = [];
  const log = await LogFile.open(path, (payload) => found.push(payload.toString()));
  return { log, found };
};
const append = (log: LogFile, text: string): Promise<void> => new Promise((done) => log.append(Buffer.from(text), done));
const filled = async (...texts: string[]): Promise<string> => {
  const path = newPath();
  const { log } = await open(path);
  await Promise.all(texts.map((text) => append(log, text)));
  await log.close();
  return path;
};

describe('the log file', () => {
  test('returns every frame in order, also those written during a sync', async () => {
    const path = newPath();
    const { log } = await open(path);
    const first = append(log, 'one');
    await new Promise((resolve) => setImmediate(resolve));
    await Promise.all([first, append(log, 'two'), append(log, ''), append(log, 'three')]);
    await log.close();

    const again = await open(path);
    expect(again.found).toEqual(['one', 'two', '', 'three']);
    await again.log.close();
  });

  test('reports a frame as on disk only when the file has it', async () => {
    const path = newPath();
    const { log } = await open(path);
    const position = log.nextPayload();
    const done = append(log, 'here');
    expect(statSync(path).size).toBeLessThan(position);
    await done;
    expect(readFileSync(path).subarray(position).toString()).toBe('here');
    expect(log.read(position, 4).toString()).toBe('here');
    await log.close();
  });

  test.each([1, 5, 9, 12])('truncates a last frame that lacks %i bytes, and writes the next in its place', async (missing) => {
    const path = await filled('whole', 'torn');
    truncateSync(path, statSync(path).size - missing);
    const { log, found } = await open(path);
    expect(found).toEqual(['whole']);
    await append(log, 'new');
    await log.close();

    const again = await open(path);
    expect(again.found).toEqual(['whole', 'new']);
    await again.log.close();
  });

  test('ends at a frame with a wrong checksum', async () => {
    const path = await filled('whole', 'spoilt');
    const bytes = readFileSync(path);
    bytes.writeUInt8(bytes.at(-1) === 0 ? 1 : 0, bytes.length - 1);
    writeFileSync(path, bytes);
    const { log, found } = await open(path);
    expect(found).toEqual(['whole']);
    await log.close();
  });

  test('truncates an incomplete length that a crash left', async () => {
    const path = await filled('whole');
    appendFileSync(path, Buffer.alloc(6, 255));
    const { log, found } = await open(path);
    expect(found).toEqual(['whole']);
    await log.close();
  });

  test('reads frames longer than one chunk', async () => {
    const long = 'x'.repeat(9 * 1024 * 1024);
    const path = await filled('short', long, 'short again');
    const { log, found } = await open(path);
    expect(found.map(({ length }) => length)).toEqual([5, long.length, 11]);
    await log.close();
  });

  test('refuses a file that is open, until it is closed', async () => {
    const path = newPath();
    const { log } = await open(path);
    await expect(open(path)).rejects.toThrow(`another process uses ${path}`);
    await log.close();
    await (await open(path)).log.close();
  });

  test('leaves a file of another format unchanged', async () => {
    const path = newPath();
    writeFileSync(path, 'something else entirely');
    await expect(open(path)).rejects.toThrow('is not an event log');
    expect(readFileSync(path, 'utf8')).toBe('something else entirely');
  });
});
