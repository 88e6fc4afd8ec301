import type { UpdateIssuer } from '@svc/contracts/issuer/requests';
import { FakeClock, DomainError, soon } from '@svc/kernel';
import { defaultIssuer } from '../issuer/default-issuer.ts';
import { mergedIssuer } from '../issuer/domain/merge.ts';
import type { IssuerState } from '../issuer/domain/state.ts';
import { issuerStream } from '../issuer/issuers.ts';
import { updateIssuer } from '../issuer/update.ts';
import { callerOf, dataFolder, openSystem } from '../testing/open-system.ts';
import { NUMBER_TAKEN, type NumberTaken, type Numbering } from './domain/numbering.ts';
import type { Series } from './series.ts';
import { beginNumbering, takeNumber } from './take-number.ts';

const folder = dataFolder();
const clock = new FakeClock(Date.UTC(2026, 10, 22, 12));
const system = openSystem(folder.path, clock);
afterAll(() => {
  system.engine.close();
  folder.remove();
});
const { context, ids, issuers, store } = system;
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
  /** Numbers as an earlier release took them, without claims. */
  const older = (stream: string, ...numbers: string[]): Promise<void> => olderFrom(1, stream, ...numbers);
  async function olderFrom(first: number, stream: string, ...numbers: string[]): Promise<void> {
    const links = numbers.map((number, n): NumberTaken => ({
      ...{ document: `inv_${ids.next()}`, seq: first + n, number, issued_at: '2026-11-22T12:00:00.000Z', issue_date: '2026-11-22' },
    }));
    const { type, v } = NUMBER_TAKEN;
    const events = links.map((data) => ({ id: ids.next(), type, data, metadata: { ...metadata, v } }));
    await store.append(`series-test.${account}.${stream}`, 'none', events);
  }
  return { account, series, begin, take, number, refusal, count, older, olderFrom };
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

test('a format whose count touches its neighbour is rejected before a number is taken, also in an earlier request', async () => {
  const { series, begin, take, refusal, number, count } = issuer();
  expect(await refusal(series('A', '{series}{seq}'))).toContain('{series}{seq}');
  const asked = await begin(series('A', '{series}-{seq}'));
  const taken = await take({ ...asked, format: '{series}{seq}' });
  expect(taken).toMatchObject({ code: 'validation_error', details: { series: [expect.stringContaining('divided')] } });
  expect(await count('A')).toBe(0);
  expect(await number(series('A', '{series}-{seq}'))).toBe('A-1');
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

test('a document that has its number keeps it, whoever claims the pattern later', async () => {
  const { series, begin, take, older, number, account } = issuer();
  const asked = await begin(series('INV2', '{seq}/{year}'));
  await older('INV2.2026', '1/2026');
  const [event] = await store.read(`series-test.${account}.INV2.2026`);
  const { document } = event?.data as NumberTaken;
  expect(await number(series('INV', '{seq}/{year}'))).toBe('1/2026');
  expect(await take(asked, document)).toEqual(event?.data);
  expect(await take(asked)).toBeInstanceOf(DomainError);
});

test('series of an earlier release continue; of two with the same pattern the first to continue claims it', async () => {
  const { series, older, number, refusal } = issuer();
  await older('INV.2026', '1/2026', '2/2026');
  await older('INV2.2026', '1/2026');
  expect(await number(series('INV', '{seq}/{year}'))).toBe('3/2026');
  expect(await refusal(series('INV2', '{seq}/{year}'))).toContain('of series INV.');
});

describe('numbers that an earlier release took without claims', () => {
  const at = '2026-11-22T12:00:00.000Z';
  const changed = ({ country, series, units }: IssuerState) => ({ country, series, units });
  /** Settings as that release stored them: first its defaults, then only the changes. */
  async function patched(account: string, ...patches: UpdateIssuer[]): Promise<void> {
    const stream = issuerStream(account, 'test');
    for (const patch of patches) {
      const { state, version } = await issuers.current(account, 'test');
      const updated = { type: 'IssuerUpdated', data: { at, ...changed(mergedIssuer(patch, state)) } };
      const events = version > 0 ? [updated] : [{ type: 'IssuerCreated', data: { at, ...defaultIssuer(account, 'test') } }, updated];
      const stored = events.map((event) => ({ id: ids.next(), ...event, metadata: { v: 1, account, env: 'test' as const } }));
      await store.append(stream, version > 0 ? BigInt(version - 1) : 'none', stored);
    }
  }
  const standard = (settings: object): UpdateIssuer => ({ series: { standard: settings } });

  test('are not repeated under another code, also when the first has taken no number since', async () => {
    const { series, older, number, refusal, count, account } = issuer();
    await patched(account, { country: 'AL' }, standard({ code: 'FIRST' }));
    await older('FIRST.2026', '1/2026', '2/2026');
    await patched(account, standard({ code: 'INV2' }), standard({ format: '{seq}/{year}' }), { units: [{ code: 'A' }] });
    expect(await refusal(series('INV2', '{seq}/{year}'))).toContain('the numbers {seq}/2026 of series FIRST.');
    expect(await count('INV2.2026')).toBe(0);
    expect(await number(series('FIRST', '{seq}/{year}'))).toBe('3/2026');
    expect(await refusal(series('INV2', '{seq}/{year}'))).toContain('of series FIRST.');
  });

  test('are found by till, and by the code of a series that no settings name', async () => {
    const { series, older, refusal, account } = issuer();
    await patched(account, { country: 'AL', units: [{ code: 'A', devices: ['D0', 'D1'] }] }, { units: [{ code: 'B', devices: ['D1'] }] });
    await older('RCP.A.D1.2026', '1/2026/D1');
    expect(await refusal(series('RCP', '{seq}/{year}/{device}', { unit: 'B', device: 'D1' }))).toContain(
      'of series RCP, unit A, device D1.',
    );
    await older('SHOP7.2026', 'SHOP7-2026-000001');
    expect(await refusal(series('INV', 'SHOP7-{year}-{seq}'))).toContain('of series SHOP7.');
  });

  test('do not claim a pattern that was set and never used', async () => {
    const { series, older, number, account } = issuer();
    await older('INV.2026', 'INV-2026-000001');
    await patched(account, standard({ format: '{seq}/{year}' }), standard({ code: 'INV2' }));
    expect(await number(series('INV2', '{seq}/{year}'))).toBe('1/2026');
  });

  test('are searched in all stored settings, of that release and of later ones', async () => {
    const { account } = issuer();
    await patched(account, standard({ code: 'ONE' }), standard({ code: 'TWO' }));
    await updateIssuer(
      { context, issuers, identity: callerOf(system, account) },
      { ifMatch: undefined, patch: standard({ code: 'THREE' }) },
    );
    const codes: string[] = [];
    for await (const { series } of issuers.past(account, 'test', soon)) codes.push(series.standard.code);
    expect(codes).toEqual(['INV', 'INV', 'ONE', 'TWO', 'THREE']);
  });

  test('are found where it used settings that a later release had stored', async () => {
    const { series, older, refusal, account } = issuer();
    await patched(account, standard({ code: 'ONE' }));
    const caller = { context, issuers, identity: callerOf(system, account) };
    await updateIssuer(caller, { ifMatch: undefined, patch: standard({ code: 'INV2', format: 'F-{year}-{seq}' }) });
    await older('INV2.2026', 'F-2026-1');
    await updateIssuer(caller, { ifMatch: undefined, patch: standard({ code: 'INV3' }) });
    expect(await refusal(series('INV3', 'F-{year}-{seq}'))).toContain('of series INV2.');
  });

  test('are found after any number of changes that leave series and units as they were', async () => {
    const { series, older, refusal, account } = issuer();
    const units = Array.from({ length: 100 }, (_, n) => ({ code: `U${n}`, devices: ['D1'] }));
    await patched(account, { country: 'AL', units });
    for (let n = 0; n < 250; n += 1) await patched(account, { series: { standard: { code: `C${n}` } } });
    await older('RCP.U7.D1.2026', '1/2026/D1');
    expect(await refusal(series('RCP', '{seq}/{year}/{device}', { unit: 'U0', device: 'D1' }))).toContain('unit U7');
  });

  test('in two series: the one with the higher count continues, the other is rejected', async () => {
    const { series, older, number, refusal, account } = issuer();
    await patched(account, { country: 'AL' }, standard({ code: 'INV2' }));
    await older('INV.2026', '1/2026');
    await older('INV2.2026', '1/2026', '2/2026', '3/2026');
    expect(await refusal(series('INV', '{seq}/{year}'))).toContain('of series INV2.');
    expect(await number(series('INV2', '{seq}/{year}'))).toBe('4/2026');
  });

  test('are not repeated by a count at another place, and the first series continues', async () => {
    const { series, olderFrom, number, refusal, count, account } = issuer();
    await patched(account, standard({ format: '{year}/{seq}', start: 2026 }), standard({ code: 'INV2', format: '{seq}/{year}' }));
    await olderFrom(2026, 'INV.2026', '2026/2026');
    expect(await refusal(series('INV2', '{seq}/{year}', { start: 2026 }))).toContain('counts at another place in #/# than series INV,');
    expect(await count('INV2.2026')).toBe(0);
    expect(await number(series('INV', '{year}/{seq}'))).toBe('2026/2027');
  });

  test('at two places of one shape: the series that continues repeats none of the other’s numbers', async () => {
    const { series, older, olderFrom, refusal, account } = issuer();
    await patched(
      account,
      standard({ format: '{year}/{seq}' }),
      standard({ code: 'TWO', format: '{seq}/{year}' }),
      standard({ code: 'SIX' }),
    );
    await olderFrom(2026, 'INV.2026', '2026/2026');
    await older('TWO.2026', '1/2026');
    expect(await refusal(series('TWO', '{seq}/{year}'))).toContain('{seq}/2026');
    const clear = issuer();
    await patched(clear.account, standard({ format: '{year}/{seq}' }), standard({ format: '{seq}/{year}' }));
    await clear.older('INV.2026', '2026/1', '2/2026');
    expect(await clear.number(clear.series('INV', '{seq}/{year}'))).toBe('3/2026');
  });

  test('are found under a year as code that no settings name, and where the count touched its neighbour', async () => {
    const { series, olderFrom, refusal, account } = issuer();
    await patched(account, standard({ format: '{series}/{seq}' }));
    await olderFrom(7, '2026', '2026/7');
    expect(await refusal(series('RCP', '{seq}/7'))).toContain('counts at another place in #/# than series 2026,');
    const touching = issuer();
    await patched(touching.account, standard({ format: '1{seq}-1' }), standard({ code: 'CN2' }));
    await touching.older('INV', '11-1');
    expect(await touching.refusal(touching.series('CN2', '{seq}-1'))).toContain('{seq}-1');
  });

  test('are searched once: the result is stored for every process', async () => {
    let searches = 0;
    const past: typeof issuers.past = (...of) => ((searches += 1), issuers.past(...of));
    const process = () => ({ ...context, store: { ...store }, issuers: { ...issuers, past } });
    const { series, older, account } = issuer();
    await patched(account, { country: 'AL' }, standard({ code: 'INV2' }));
    await older('INV.2026', '1/2026');
    for (const on of [process(), process(), process()]) {
      const numbering = beginNumbering(on, { series: { ...series('INV2', '{seq}/{year}'), account }, issueDate: null, timeZone });
      await expect(numbering).rejects.toThrow(DomainError);
    }
    expect(searches).toBe(1);
  });

  test('are searched once for concurrent requests, and one search runs at a time for each account', async () => {
    let [searches, running, most] = [0, 0, 0];
    const past: typeof issuers.past = async function* (...of) {
      searches += 1;
      most = Math.max(most, (running += 1));
      try {
        yield* issuers.past(...of);
      } finally {
        running -= 1;
      }
    };
    const { begin, series, account } = issuer({ ...context, store: { ...store }, issuers: { ...issuers, past } });
    await patched(account, { country: 'AL' });
    const all = ['{series}-{seq}', '{series}/{seq}', '{series}_{seq}'].flatMap((format) => Array.from({ length: 20 }, () => format));
    await Promise.all(all.map((format) => begin(series('INV', format))));
    expect([searches, most]).toEqual([3, 1]);
  });

  test('in a series of many patterns: its stream is read once for all of them', async () => {
    const codes = Array.from({ length: 30 }, (_, n) => `A${n}`);
    let pages = 0;
    const counting: typeof store = {
      ...store,
      read(stream, ...rest) {
        pages += stream.startsWith('series-') ? 1 : 0;
        return store.read(stream, ...rest);
      },
    };
    const { series, older, begin, account } = issuer({ ...context, store: counting });
    await patched(account, ...codes.map((code) => standard({ code: 'INV', format: `${code}1{seq}/{seq}` })));
    await older('INV', ...Array.from({ length: 2_500 }, (_, n) => `X${n}`));
    await begin(series('INV', 'A11/{seq}'));
    expect(pages).toBe(3);
  });

  test('that do not exist cost little: many tills whose codes are digits start their year at the same time', async () => {
    const { series, number, account } = issuer();
    const units = Array.from({ length: 100 }, (_, n) => ({ code: `${n + 1}`, devices: ['1', '2', '3', '4'] }));
    await patched(account, { units }, { series: { receipt: { format: '{seq}/{unit}/{device}/{year}' } } });
    const tills = units.slice(0, 60).flatMap(({ code: unit, devices }) => devices.map((device) => ({ unit, device })));
    const numbers = await Promise.all(tills.map((till) => number(series('RCP', '{seq}/{unit}/{device}/{year}', till))));
    expect(numbers).toEqual(tills.map(({ unit, device }) => `1/${unit}/${device}/2026`));
  });

  test('are found behind refusals', async () => {
    const { series, older, begin, number, account } = issuer();
    await patched(account, { country: 'AL' });
    await older('INV.2026', '1/2026', '2/2026');
    const numbering = await begin(series('INV', '{seq}/{year}'));
    const obstacle = new DomainError('validation_error', 'The customer is gone.', { customer_id: ['is gone.'] });
    const metadata = { account, env: 'test' as const };
    await takeNumber(context, { numbering, document: `inv_${ids.next()}`, request: 1, metadata, obstacle });
    let pages = 0;
    const counting: typeof store = {
      ...store,
      read: (stream, ...rest) => ((pages += Number(stream.startsWith('series-'))), store.read(stream, ...rest)),
    };
    const again = { ...context, store: counting };
    const next = await beginNumbering(again, { series: series('INV', '{seq}/{year}'), issueDate: null, timeZone });
    expect([next.seen, pages]).toEqual(['2', 0]);
    expect(await number(series('INV', '{seq}/{year}'))).toBe('3/2026');
  });

  describe('more settings than a search may read', () => {
    const units = (round: number) =>
      Array.from({ length: 100 }, (_, n) => ({
        code: `U${n}`,
        address: null,
        devices: Array.from({ length: 100 }, (_, d) => `${d}.${round}`),
      }));
    const past = async function* () {
      for (let n = 0; n < 20; n += 1) {
        const { series: settings } = defaultIssuer('acct_01jh2k3m4n5p6q7r8s9t0v1w2x', 'test');
        yield { series: { ...settings, receipt: { ...settings.receipt, format: '{seq}/{device}' } }, units: units(n) };
      }
    };
    const many = { ...context, store: { ...store }, issuers: { ...issuers, past } };

    test('a new pattern is rejected, other requests proceed meanwhile, and another divider is accepted', async () => {
      const { refusal, number, series } = issuer(many);
      let turns = 0;
      const turn = setInterval(() => (turns += 1), 0);
      const refused = await refusal(series('RCP', '{seq}/1.1')).finally(() => clearInterval(turn));
      expect(refused).toContain('Set a number format by PATCH /issuer that divides its parts otherwise.');
      expect(turns).toBeGreaterThan(10);
      expect(await refusal(series('RCP', '{seq}/1.1'))).toBe(refused);
      expect(await number(series('RCP', '{seq}-1-1'))).toBe('1-1-1');
    });

    test('a series that already used the pattern continues', async () => {
      const { number, series, older } = issuer(many);
      await older('RCP', '1/1.1', '2/1.1');
      expect(await number(series('RCP', '{seq}/1.1'))).toBe('3/1.1');
      expect(await number(series('RCP', '{seq}/1.1'))).toBe('4/1.1');
    });
  });

  test('in two series with the same count: the first to continue claims the pattern', async () => {
    const { series, older, number, refusal, account } = issuer();
    await patched(account, { country: 'AL' }, standard({ code: 'INV2' }));
    for (const stream of ['INV.2026', 'INV2.2026']) await older(stream, '1/2026');
    expect(await number(series('INV2', '{seq}/{year}'))).toBe('2/2026');
    expect(await refusal(series('INV', '{seq}/{year}'))).toContain('of series INV2.');
  });
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
