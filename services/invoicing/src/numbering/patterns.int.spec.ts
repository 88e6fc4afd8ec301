import { FakeClock, DomainError } from '@svc/kernel';
import { dataFolder, openSystem } from '../testing/open-system.ts';
import type { Numbering } from './domain/numbering.ts';
import type { Series } from './series.ts';
import { beginNumbering, takeNumber } from './take-number.ts';

const folder = dataFolder();
const clock = new FakeClock(Date.UTC(2026, 10, 22, 12));
const system = openSystem(folder.path, clock);
afterAll(() => {
  system.engine.close();
  folder.remove();
});
const { context, ids, store } = system;
const timeZone = 'UTC';

/** A new account: its numbers and its errors. */
function issuer(on = context) {
  const account = `acct_${ids.next()}`;
  const metadata = { account, env: 'test' as const };
  const series = (code: string, format: string, over: Partial<Series> = {}): Series => ({
    ...metadata,
    ...{ code, format, start: 1, unit: null, device: null },
    ...over,
  });
  const begin = (of: Series) => beginNumbering(on, { series: of, issueDate: null, timeZone });
  const take = (numbering: Numbering, document = `inv_${ids.next()}`) => takeNumber(on, { numbering, document, request: 1, metadata });
  async function number(of: Series): Promise<string> {
    const taken = await take(await begin(of));
    if (taken instanceof DomainError) throw taken;
    return taken.number;
  }
  const refusal = async (of: Series): Promise<string> =>
    number(of).then(
      (taken) => `numbered ${taken}`,
      (error: unknown) => (error instanceof DomainError ? (error.details?.['series']?.[0] ?? '') : String(error)),
    );
  const count = async (stream: string) => (await store.read(`series-test.${account}.${stream}`)).length;
  return { series, begin, take, number, refusal, count };
}

test('a series under a new code does not repeat the numbers of the first, and uses no number', async () => {
  const { series, number, refusal, count } = issuer();
  expect(await number(series('INV', '{seq}/{year}'))).toBe('1/2026');
  expect(await refusal(series('INV2', '{seq}/{year}'))).toContain('would repeat the numbers {seq}/2026 of series INV.');
  expect(await count('INV2.2026')).toBe(0);
  expect(await number(series('INV', '{seq}/{year}'))).toBe('2/2026');
  expect(await number(series('INV2', '{series}/{seq}/{year}'))).toBe('INV2/1/2026');
});

test('of two units with a till of the same name, the second is rejected and the first is named', async () => {
  const { series, number, refusal } = issuer();
  const till = (unit: string, format: string) => series('RCP', format, { unit, device: 'D1' });
  expect(await number(till('A', '{seq}/{year}/{device}'))).toBe('1/2026/D1');
  expect(await refusal(till('B', '{seq}/{year}/{device}'))).toContain('of series RCP, unit A, device D1.');
  expect(await number(till('B', '{seq}/{year}/{unit}-{device}'))).toBe('1/2026/B-D1');
});

test('a literal year and {year}, padded counts and unpadded ones, make one pattern', async () => {
  const { series, number, refusal } = issuer();
  expect(await number(series('INV', 'X-{year}-{seq}'))).toBe('X-2026-1');
  expect(await refusal(series('INV', 'X-2026-{seq:6}'))).toContain('of series INV.');
  expect(await refusal(series('RCP', 'X-2026-{seq}'))).toContain('of series INV.');
});

test('a series keeps every pattern that it ever used', async () => {
  const { series, number, refusal } = issuer();
  const formats = ['X-{seq}', 'Y-{seq}', 'X-{seq:3}'];
  const numbers: string[] = [];
  for (const format of formats) numbers.push(await number(series('INV', format)));
  expect(numbers).toEqual(['X-1', 'Y-2', 'X-003']);
  for (const format of formats) expect(await refusal(series('CN', format))).toContain('of series INV.');
});

test('a count at another place of the same shape is rejected: both could write 2026/2026', async () => {
  const { series, number, refusal } = issuer();
  expect(await number(series('INV', '{seq}/{year}', { start: 2026 }))).toBe('2026/2026');
  expect(await refusal(series('INV', '{year}/{seq}', { start: 2026 }))).toContain('counts at another place in #/# than series INV,');
});

test('of several requests that found the pattern free, only the first gets a number', async () => {
  const { series, begin, take, count } = issuer();
  const numberings = await Promise.all(['INV', 'INV2', 'INV3'].map((code) => begin(series(code, '{seq}/{year}'))));
  const taken = await Promise.all(numberings.map((numbering) => take(numbering)));
  const refused = taken.filter((one) => one instanceof DomainError);
  expect(refused).toHaveLength(2);
  for (const { details } of refused) expect(details?.['series']?.[0]).toMatch(/of series INV\d?\./);
  expect((await Promise.all(['INV', 'INV2', 'INV3'].map((code) => count(`${code}.2026`)))).sort()).toEqual([0, 0, 1]);
});

test('a number costs one append, except the first of its pattern', async () => {
  const appended: string[] = [];
  const counting: typeof store = {
    ...store,
    append(stream, ...rest) {
      appended.push(stream.slice(0, stream.indexOf('-')));
      return store.append(stream, ...rest);
    },
  };
  const { series, number } = issuer({ ...context, store: counting });
  for (let n = 0; n < 3; n += 1) await number(series('INV', '{series}-{year}-{seq}'));
  expect(appended).toEqual(['pattern', 'pattern']); // numbers are appended by the sequence, which uses the store directly
});
