import { FakeClock, DomainError } from '@svc/kernel';
import { createClockCheck } from '../clock/clock-check.ts';
import { witness, wrongClock } from '../clock/testing/clocks.ts';
import { dataFolder, openSystem } from '../testing/open-system.ts';
import type { NumberTaken } from './domain/numbering.ts';
import type { Series } from './series.ts';
import { beginNumbering, isStarted, takeNumber } from './take-number.ts';

const folder = dataFolder();
afterAll(() => folder.remove());

const clock = new FakeClock(Date.UTC(2026, 11, 30, 12));
const system = openSystem(folder.path, clock);
const { context } = system;
const timeZone = 'UTC';
const account = 'acct_01jh2k3m4n5p6q7r8s9t0v1w2x';
let counter = 0;
const series = (over: Partial<Series> = {}): Series => ({
  account,
  env: 'test',
  code: `S${(counter += 1)}`,
  format: '{series}-{year}-{seq}',
  start: 1,
  unit: null,
  device: null,
  ...over,
});
const metadata = { account, env: 'test' as const };

async function numbered(of: Series, issueDate: string | null = null): Promise<string> {
  const document = `inv_${system.ids.next()}`;
  const numbering = await beginNumbering(context, { series: of, issueDate, timeZone });
  const taken = await takeNumber(context, { numbering, document, request: 1, metadata });
  if (taken instanceof DomainError) throw taken;
  return taken.number.slice(of.code.length + 1);
}
const refusedField = async (work: Promise<unknown>): Promise<string[]> => {
  const error = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  return error instanceof DomainError ? Object.keys(error.details ?? {}) : [];
};

test('concurrent requests get one number each, without gaps or repetitions', async () => {
  const of = series();
  const all = await Promise.all(Array.from({ length: 60 }, () => numbered(of)));
  expect(all.map((number) => Number(number.split('-')[1])).sort((a, b) => a - b)).toEqual(Array.from({ length: 60 }, (_, n) => n + 1));
});

test('concurrent requests for one document get one number', async () => {
  const of = series();
  const numbering = await beginNumbering(context, { series: of, issueDate: null, timeZone });
  const ask = () => takeNumber(context, { numbering, document: 'inv_same', request: 1, metadata });
  const all = (await Promise.all(Array.from({ length: 20 }, ask))) as NumberTaken[];
  expect(new Set(all.map(({ seq }) => seq))).toEqual(new Set([1]));
  expect(await ask()).toEqual(all[0]);
  expect(await system.store.read(numbering.stream)).toHaveLength(1);
});

test('the count restarts each year, `start` applies to the first year only, and years do not decrease', async () => {
  const of = series({ start: 41 });
  expect(await numbered(of, '2025-12-30')).toBe('2025-41');
  expect(await numbered(of, '2025-12-31')).toBe('2025-42');
  expect(await refusedField(numbered(of, '2025-12-30'))).toEqual(['issue_date']);
  expect(await numbered(of)).toBe('2026-1');
  expect(await refusedField(numbered(of, '2025-12-31'))).toEqual(['issue_date']);
  expect(await numbered(of, '2026-12-30')).toBe('2026-2');
});

test('a series that does not restart continues over the years', async () => {
  const of = series({ format: '{series}-{seq}', start: 7 });
  expect(await numbered(of, '2024-05-05')).toBe('7');
  expect(await numbered(of)).toBe('8');
});

test('a date in the future and one more than ten years ago are rejected', async () => {
  expect(await refusedField(numbered(series(), '2026-12-31'))).toEqual(['issue_date']);
  expect(await refusedField(numbered(series(), '2015-12-31'))).toEqual(['issue_date']);
  expect(await numbered(series(), '2016-01-01')).toBe('2016-1');
});

test('where the new year has begun in another time zone, its count continues', async () => {
  await clock.advance(86_400_000);
  const of = series();
  const east = await beginNumbering(context, { series: of, issueDate: null, timeZone: 'Pacific/Kiritimati' });
  expect(await takeNumber(context, { numbering: east, document: 'inv_east', request: 1, metadata })).toMatchObject({
    issue_date: '2027-01-01',
  });
  expect(await numbered(of)).toBe('2027-2');
});

test('a series starts with its first number, in any year', async () => {
  const of = series({ start: 5 });
  expect(await isStarted(context, of, timeZone)).toBe(false);
  await numbered(of, '2023-01-01');
  expect(await isStarted(context, of, timeZone)).toBe(true);
  expect(await isStarted(context, series(), timeZone)).toBe(false);
});

describe('after a refusal before the first number', () => {
  const refuse = async (of: Series, issueDate: string | null = null) => {
    const numbering = await beginNumbering(context, { series: of, issueDate, timeZone });
    const obstacle = new DomainError('validation_error', 'The customer is gone.', { customer_id: ['is gone.'] });
    expect(await takeNumber(context, { numbering, document: `inv_${system.ids.next()}`, request: 1, metadata, obstacle })).toBeInstanceOf(
      DomainError,
    );
  };

  test('a start that is set afterwards is the first number', async () => {
    const of = series();
    await refuse(of);
    expect(await isStarted(context, of, timeZone)).toBe(false);
    expect(await numbered({ ...of, start: 41 })).toBe('2026-41');
  });

  test('of a new year, the count of a series that was numbered before starts at 1', async () => {
    const of = series({ start: 41 });
    expect(await numbered(of, '2025-12-30')).toBe('2025-41');
    await refuse(of);
    expect(await numbered(of)).toBe('2026-1');
  });
});

test('while every witness says that the clock is ahead, no document requests or takes a number; a later try takes it by the clock that was set right', async () => {
  const machine = wrongClock(Date.UTC(2026, 10, 26, 12));
  const check = createClockCheck({ ...machine, witnesses: [witness('mongodb', machine.truth)], logger: context.logger });
  const on = { ...context, clock: machine.clock, clockCheck: check };
  const of = series();
  const ahead = expect.objectContaining({ code: 'service_unavailable', message: expect.stringContaining('57600 minutes ahead') });
  const numbering = await beginNumbering(on, { series: of, issueDate: null, timeZone });
  const take = () => takeNumber(on, { numbering, document: 'inv_late', request: 1, metadata });

  machine.set(40 * 24 * 60 * 60_000);
  await expect(take()).rejects.toEqual(ahead);
  await expect(beginNumbering(on, { series: of, issueDate: null, timeZone })).rejects.toEqual(ahead);
  expect(await system.store.read(numbering.stream)).toEqual([]);

  machine.set(0);
  expect(await take()).toMatchObject({ seq: 1, issue_date: '2026-11-26', issued_at: '2026-11-26T12:00:00.000Z' });
});
