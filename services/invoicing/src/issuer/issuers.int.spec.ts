import type { UpdateIssuer } from '@svc/contracts/issuer/requests';
import { DomainError, streamOf } from '@svc/kernel';
import { invoices } from '../invoice/invoices.ts';
import { callerOf, dataFolder, openSystem } from '../testing/open-system.ts';
import { openShop } from '../testing/shop.ts';
import { issuerStream } from './issuers.ts';
import { issuerResource } from './resource.ts';
import { updateIssuer } from './update.ts';

const folder = dataFolder();
const system = openSystem(folder.path);
afterAll(() => {
  system.engine.close();
  folder.remove();
});
const account = () => `acct_${system.ids.next()}`;
const patched = (of: string, patch: Parameters<typeof updateIssuer>[1]['patch'], ifMatch?: string[]) =>
  updateIssuer({ context: system.context, issuers: system.issuers, identity: callerOf(system, of) }, { ifMatch, patch });
const read = async (of: string) => {
  const { state, version } = await system.issuers.current(of, 'test');
  return issuerResource(state, version, { closed: [], lacking: { live: {}, test: {} } });
};

/** Every field that a PATCH can set. */
const address = { line1: 'Rruga 1', line2: 'Kati 2', city: 'Tirana', postal_code: '1001', region: 'Tirana', country: 'AL' };
const whole = {
  legal_name: 'Heron SHPK',
  trade_name: 'Heron',
  tax_id: 'L01714012M',
  vat_registered: false,
  address,
  country: 'AL',
  currency: 'ALL',
  time_zone: 'Europe/Tirane',
  language: 'sq',
  default_tax_rate: 6.5,
  prices_include_tax: true,
  rounding: 'precise',
  series: {
    standard: { code: 'A', format: '{seq}/{year}', start: 2 },
    credit_note: { code: 'A', format: '{seq}/{year}', start: 2 },
    corrective: { code: 'A', format: '{seq}/{year}', start: 2 },
    receipt: { code: 'R', format: '{seq}/{year}/{device}', start: 3 },
  },
  units: [{ code: 'U1', address, devices: ['D1', 'D2'] }],
  devices: [
    {
      ...{ code: 'D1', unit: 'U1', internal_id: 'till 1', authority_code: 'cc123cc123', type: 'vending', maintainer_code: 'mm123mm123' },
      ...{ valid_from: '2026-01-01', valid_to: '2026-12-31', initial_amount: 12.5 },
    },
    {
      ...{ code: 'D2', unit: 'U1', internal_id: 'D2', authority_code: null, type: 'regular', maintainer_code: null },
      ...{ valid_from: null, valid_to: null, initial_amount: 0 },
    },
  ],
  operators: [{ code: 'O1', name: 'Ana' }],
  software_code: 'SW1',
  installation: 'A1',
  tax_regime: '18',
  authority: null,
  metadata: { shop: '7' },
} satisfies Required<UpdateIssuer>;

describe('issuers', () => {
  test('every field can be set, alone and with the others, and is read as it was sent', async () => {
    const of = account();
    expect(await patched(of, whole)).toMatchObject(whole);
    expect(await read(of)).toMatchObject(whole);
    const { tax_id: _ofCountry, devices: _ofUnits, ...independent } = whole;
    for (const field of Object.keys(independent) as (keyof typeof independent)[]) {
      const alone = account();
      const before = await read(alone);
      const now = await patched(alone, { [field]: whole[field] });
      const expected = { ...before, [field]: whole[field], version: 2, updated_at: now.updated_at, setup: now.setup };
      expect(now).toEqual({
        ...expected,
        ...(field === 'country' && { series: now.series }),
        ...(field === 'units' && { devices: now.devices }),
      });
    }
  });

  test('a tax id that is none of the country is refused, of an address that is changed with it or before', async () => {
    const of = account();
    await expect(patched(of, { ...whole, tax_id: 'L01714012' })).rejects.toMatchObject({ details: { tax_id: [expect.any(String)] } });
    await expect(patched(of, { tax_id: 'L01714012M' })).rejects.toMatchObject({ details: { tax_id: [expect.any(String)] } });
    const { tax_id: derived } = await read(of);
    await patched(of, { ...whole });
    expect((await patched(of, { tax_id: derived })).tax_id).toBe(derived);
  });

  test('null removes what may be absent, merges of an address and metadata keep the rest, lists are replaced', async () => {
    const of = account();
    await patched(of, whole);
    const parts = { address: { city: 'Durrës', region: null }, metadata: { till: '1' }, units: [{ code: 'U2' }], operators: [] };
    expect(await patched(of, parts)).toMatchObject({
      address: { ...address, city: 'Durrës', region: null },
      metadata: { shop: '7', till: '1' },
      units: [{ code: 'U2', address: null, devices: [] }],
      operators: [],
    });
    const none = { trade_name: null, tax_id: null, address: null, software_code: null, authority: null };
    expect(await patched(of, none)).toMatchObject(none);
  });

  test('a document keeps the issuer that it was submitted with, with the one unit, till and operator of it', async () => {
    const shop = await openShop(system, { units: whole.units, operators: [...whole.operators, { code: 'O2', name: 'Ben' }] });
    const { id, issuer } = await shop.invoice();
    expect(issuer).toMatchObject({ legal_name: 'Sandbox Company', units: [{ code: 'U1', devices: ['D1'] }], operators: [{ code: 'O1' }] });
    await shop.set({ legal_name: 'Egret SL', units: [], operators: [] });
    expect((await invoices.read(shop.call(), id)).issuer).toEqual(issuer);
    expect((await shop.invoice()).issuer).toMatchObject({ legal_name: 'Egret SL', units: [], operators: [] });
  });

  test('reading stores nothing; the first change makes version 2', async () => {
    const of = account();
    const before = await read(of);
    expect([before.version, before.object, before.authority]).toEqual([1, 'issuer', 'sandbox']);
    expect(await system.store.read(issuerStream(of, 'test'))).toEqual([]);
    const now = await patched(of, { legal_name: 'Heron SL', default_tax_rate: 7 }, ['1']);
    expect([now.version, now.legal_name, now.default_tax_rate, now.currency, now.created_at]).toEqual([
      2,
      'Heron SL',
      7,
      before.currency,
      before.created_at,
    ]);
    expect(await read(of)).toEqual(now);
    expect((await system.issuers.of(of, 'live')).legal_name).toBeNull();
  });

  test('a stale If-Match is rejected; a patch that changes nothing keeps the version', async () => {
    const of = account();
    expect(await patched(of, {})).toEqual(await read(of));
    await expect(patched(of, { legal_name: 'x' }, ['2'])).rejects.toMatchObject({ code: 'version_conflict' });
    expect(await system.store.read(issuerStream(of, 'test'))).toEqual([]);
  });

  test('`start` can be set until the series has a number', async () => {
    const of = account();
    const { series } = await patched(of, { series: { standard: { code: 'ACME', format: '{series}/{year}/{seq}', start: 41 } } });
    expect(series.standard.start).toBe(41);
    expect((await patched(of, { series: { standard: { start: 42 } } })).series.standard.start).toBe(42);
    const event = { id: system.ids.next(), type: 'NumberTaken', data: {}, metadata: { v: 1, account: of, env: 'test' as const } };
    await system.store.append(streamOf('series', 'test', of, 'ACME.2025'), 'none', [event]);
    const refused = await patched(of, { series: { standard: { start: 7 } } }).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(DomainError);
    expect((refused as DomainError).details).toHaveProperty(['series.standard.start']);
    expect((await patched(of, { series: { standard: { start: 42 }, receipt: { start: 9 } } })).series.receipt.start).toBe(9);
  });
});
