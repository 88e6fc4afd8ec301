import type { UpdateIssuer } from '@svc/contracts/issuer/requests';
import { DomainError, type Details } from '@svc/kernel';
import { defaultIssuer } from '../issuers.ts';
import { issuerDecider } from './decide.ts';
import type { IssuerState } from './state.ts';

const account = 'acct_01jh2k3m4n5p6q7r8s9t0v1w2x';
const at = '2026-01-16T12:00:00.000Z';
const initial = defaultIssuer(account, 'test');
const live = defaultIssuer(account, 'live');
const isTaxId = (country: string, taxId: string) => country !== 'ES' || taxId === 'J99216582';

const after = (patch: UpdateIssuer, now: IssuerState | null = null, of = initial) => {
  const events = issuerDecider.decide({ type: 'update', at, initial: of, installation: 'NEW1', patch, isTaxId }, now);
  return { events, state: events.reduce(issuerDecider.evolve, now) as IssuerState };
};
const detailsOf = (patch: UpdateIssuer, of = initial): Details => {
  try {
    after(patch, null, of);
  } catch (error) {
    if (error instanceof DomainError) return error.details ?? {};
    throw error;
  }
  return {};
};
const wrongOf = (patch: UpdateIssuer, of = initial): string[] => Object.keys(detailsOf(patch, of));

describe('an issuer', () => {
  test('always has the same defaults: complete in test, without an authority in live', () => {
    expect(defaultIssuer(account, 'test')).toEqual(initial);
    expect([initial.authority, initial.livemode, initial.prices_include_tax, initial.rounding]).toEqual(['sandbox', false, false, 'line']);
    for (const field of ['legal_name', 'tax_id', 'address', 'country'] as const) expect(initial[field]).not.toBeNull();
    expect([live.authority, live.livemode, live.legal_name]).toEqual([null, true, null]);
    expect(live.id).not.toBe(initial.id);
    expect(initial.series.standard).toEqual({ code: 'INV', format: '{series}-{year}-{seq:6}', start: 1 });
  });

  test('takes null for what is not set yet, and for nothing else that cannot be removed', () => {
    expect(after({ legal_name: null, country: null, address: null, tax_id: null, authority: null }, null, live).events).toEqual([]);
    expect(wrongOf({ legal_name: null, country: null })).toEqual(['legal_name', 'country']);
  });

  test('two accounts created in the same millisecond have different ids and tax ids', () => {
    const other = defaultIssuer(`${account.slice(0, -1)}y`, 'test');
    expect(other.id).not.toBe(initial.id);
    expect(other.tax_id).not.toBe(initial.tax_id);
  });

  test('the first change also stores the defaults', () => {
    const { events, state } = after({ legal_name: 'Heron SL', default_tax_rate: '7.50' });
    expect(events.map(({ type }) => type)).toEqual(['IssuerCreated', 'IssuerUpdated']);
    expect(state).toEqual({ ...initial, legal_name: 'Heron SL', default_tax_rate: '7.5', updated_at: at });
    expect(after({ time_zone: 'Asia/Tokyo' }, state).events.map(({ type }) => type)).toEqual(['IssuerUpdated']);
  });

  test('the last event holds the whole state', () => {
    const { state } = after({ legal_name: 'Heron SL' });
    const next = after({ legal_name: 'Egret SL', units: [{ code: 'U1' }] }, state);
    expect(next.events.reduce(issuerDecider.evolve, null)).toEqual(next.state);
  });

  test('has at most 64 KiB of JSON; a larger stored one may change without growing', () => {
    const text = 'ë'.repeat(200);
    const units = (count: number) => Array.from({ length: count }, (_, n) => ({ code: `U${n}`, address: { line1: text, line2: text } }));
    expect(wrongOf({ units: units(100) })).toEqual(['units']);
    const { state } = after({ units: units(60) });
    expect(wrongOf({ operators: Array.from({ length: 100 }, (_, n) => ({ code: `O${n}`, name: text })) })).toEqual([]);
    expect(wrongOf({ operators: Array.from({ length: 100 }, (_, n) => ({ code: `O${n}`, name: text })) }, state)).toEqual(['units']);
    const stored = { ...state, units: [...state.units, ...state.units, ...state.units] };
    expect(after({ units: units(90) }, stored).state.units).toHaveLength(90);
    const named = { ...stored, legal_name: 'Heron SL', units: stored.units.map((unit, n) => ({ ...unit, code: `U${n}` })) };
    expect(after({ legal_name: 'Egret SL' }, named).state.legal_name).toBe('Egret SL');
    expect(wrongOf({ legal_name: 'Egret SL, Ghent' }, named)).toEqual(['units']);
  });

  test('has at most 1,000 tills in all units; one stored with more may change without growing', () => {
    const units = (count: number) =>
      Array.from({ length: Math.ceil(count / 100) }, (_, unit) => ({
        code: `U${unit}`,
        address: null,
        devices: Array.from({ length: Math.min(100, count - unit * 100) }, (_, n) => `D${n}`),
      }));
    const { state } = after({ units: units(1_000) });
    expect(detailsOf({ units: units(1_001) })).toEqual({ units: [expect.stringContaining('at most 1000 tills')] });
    const stored = { ...state, units: units(1_200) };
    expect(after({ legal_name: 'Egret SL' }, stored).state.legal_name).toBe('Egret SL');
    expect(after({ units: units(1_100) }, stored).state.units).toHaveLength(11);
    expect(() => after({ units: units(1_201) }, stored)).toThrow('units');
  });

  test('a patch that changes nothing appends nothing, also before anything is stored', () => {
    expect(after({}).events).toEqual([]);
    expect(after({ currency: 'EUR', default_tax_rate: 20, series: { standard: { code: 'INV' } }, metadata: {} }).events).toEqual([]);
  });

  test('series are merged by kind and field; units and operators are replaced as lists', () => {
    const { state } = after({
      series: { standard: { code: 'FACT', start: 41 } },
      units: [{ code: 'U1' }],
      operators: [{ code: 'O1', name: 'Ana' }],
    });
    expect(state.series.standard).toEqual({ ...initial.series.standard, code: 'FACT', start: 41 });
    expect(state.series.receipt).toEqual(initial.series.receipt);
    expect(state.units).toEqual([{ code: 'U1', address: null, devices: [] }]);
    expect(after({ units: [] }, state).state.units).toEqual([]);
  });

  test('number settings that were never set follow the country, or else the standard series', () => {
    const { state } = after({ country: 'AL' });
    const invoices = { code: 'INV', format: '{seq}/{year}', start: 1 };
    expect(state.series).toEqual({
      standard: invoices,
      credit_note: invoices,
      corrective: invoices,
      receipt: { code: 'RCP', format: '{seq}/{year}/{device}', start: 1 },
    });
    const started = after({ series: { standard: { start: 41 } } }, state).state;
    expect([started.series.credit_note.start, started.series.corrective.start]).toEqual([41, 41]);
    expect(after({ country: 'ES' }, state).state.series).toEqual(initial.series);
  });

  test('number settings that were set stay when the country changes', () => {
    const { state } = after({ series: { standard: { code: 'FACT' }, credit_note: { format: '{series}/{seq}' } } });
    const { series } = after({ country: 'ME' }, state).state;
    expect([series.standard, series.credit_note, series.corrective]).toEqual([
      { code: 'FACT', format: '{seq}/{year}', start: 1 },
      { code: 'CN', format: '{series}/{seq}', start: 1 },
      { code: 'FACT', format: '{seq}/{year}', start: 1 },
    ]);
  });

  test('names every invalid field', () => {
    expect(wrongOf({ currency: null, rounding: null } as never)).toEqual(['currency', 'rounding']);
    expect(wrongOf({ series: { receipt: { code: 'INV', start: 9 } } })).toEqual(['series.receipt.code']);
    expect(wrongOf({ series: { standard: { format: '{seq}' }, receipt: { format: '{seq}' } } })).toEqual(['series.receipt.format']);
    expect(wrongOf({ series: { receipt: { code: 'INV' } } })).toEqual([]);
    expect(wrongOf({ units: [{ code: 'U' }, { code: 'U' }] })).toEqual(['units']);
  });

  test('has a tax id of the country of its address, else of its own country', () => {
    expect(wrongOf({ country: 'ES', address: { country: 'ES' }, tax_id: 'J99216583' })).toEqual(['tax_id']);
    expect(wrongOf({ country: 'FR', address: { country: 'ES' }, tax_id: 'J99216583' }, live)).toEqual(['tax_id']);
    expect(wrongOf({ country: 'ES', tax_id: 'J99216583' }, live)).toEqual(['tax_id']);
    expect(wrongOf({ country: 'ES', address: { country: 'AD' }, tax_id: 'J99216583' }, live)).toEqual([]);
    expect(wrongOf({ tax_id: 'J99216583' }, live)).toEqual([]);
    expect(after({ country: 'ES', address: { country: 'ES' }, tax_id: 'J99216582' }).state.tax_id).toBe('J99216582');
  });

  test('keeps a stored tax id that would be refused now until it or its country changes', () => {
    const stored = { ...live, legal_name: 'Heron SL', country: 'ES', tax_id: 'free text' };
    expect(after({ legal_name: 'Egret SL', tax_id: 'free text', address: { country: 'ES' } }, stored).state.legal_name).toBe('Egret SL');
    expect(after({ tax_id: null }, stored).state.tax_id).toBeNull();
    expect(() => after({ tax_id: 'other text' }, stored)).toThrow();
    expect(() => after({ country: 'ES' }, { ...stored, country: 'AD' })).toThrow();
  });

  test('of test takes the tax id that is derived from its account, in every country', () => {
    const { state } = after({ tax_id: 'J99216582', country: 'ES', address: { country: 'ES' } });
    expect(after({ tax_id: initial.tax_id }, state).state.tax_id).toBe(initial.tax_id);
    expect(after({ country: 'ES', address: { country: 'ES' } }).state.tax_id).toBe(initial.tax_id);
  });

  test('has the sandbox in test alone, and a national authority in its country', () => {
    for (const [authority, country] of [['al-cis', 'AL'] as const, ['es-verifactu', 'ES'] as const, ['me-efi', 'ME'] as const])
      expect([wrongOf({ authority, country }, live), wrongOf({ authority }, live)]).toEqual([[], ['country']]);
    expect(wrongOf({ authority: 'sandbox' }, live)).toEqual(['authority']);
    expect(wrongOf({ authority: null }, live)).toEqual([]);
    expect(detailsOf({ authority: 'sandbox' }, live).authority?.join()).toContain(
      'With a live key send one of: al-cis, es-verifactu, me-efi',
    );
    expect(after({ authority: 'sandbox' }, after({ authority: null }).state).state.authority).toBe('sandbox');
  });
});
