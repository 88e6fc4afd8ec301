import type { UpdateIssuer } from '@svc/contracts/issuer/requests';
import type { AuthorityId } from '@svc/contracts/issuer/vocabulary';
import { DomainError } from '@svc/kernel';
import { isTaxIdOf } from '../../tax-ids/is-tax-id.ts';
import { defaultIssuer } from '../issuers.ts';
import { issuerDecider } from './decide.ts';
import { setupOf } from './setup.ts';
import type { IssuerState } from './state.ts';

const around = { closed: [], lacking: { live: {}, test: {} } };

const initial = defaultIssuer('acct_01jh2k3m4n5p6q7r8s9t0v1w2x', 'test');
const after = (patch: UpdateIssuer, now: IssuerState | null = null, of = initial): IssuerState => {
  const command = { type: 'update' as const, at: '2026-01-16T12:00:00.000Z', initial: of, installation: 'NEW1', patch, isTaxId: isTaxIdOf };
  return issuerDecider.decide(command, now).reduce(issuerDecider.evolve, now) as IssuerState;
};
const wrongOf = (patch: UpdateIssuer, now: IssuerState | null = null): string[] => {
  try {
    after(patch, now);
    return [];
  } catch (error) {
    if (error instanceof DomainError) return Object.keys(error.details ?? {});
    throw error;
  }
};
const countries: [AuthorityId, string, string, string][] = [
  ['al-cis', 'AL', 'ALL', 'Europe/Tirane'],
  ['es-verifactu', 'ES', 'EUR', 'Europe/Madrid'],
  ['me-efi', 'ME', 'EUR', 'Europe/Podgorica'],
];

describe.each(countries)('a test issuer that chooses %s', (authority, country, currency, time_zone) => {
  test('is ready at once, with the country, the currency, the time zone and a tax id of it', () => {
    for (const patch of [{ authority }, { authority, country }]) {
      const issuer = after(patch);
      expect(setupOf(issuer, around)).toMatchObject({ ready: true });
      expect(issuer).toMatchObject({ authority, country, currency, time_zone, address: { country } });
      expect(issuer.installation).toBe(authority === 'es-verifactu' ? 'NEW1' : null);
    }
  });

  test('has a tax id of its own account', () => {
    const other = defaultIssuer('acct_01jh2k3m4n5p6q7r8s9t0v1w3y', 'test');
    expect(after({ authority }).tax_id).not.toBe(after({ authority }, null, other).tax_id);
  });

  test('keeps what it has set, and may send what it has read', () => {
    const own = { legal_name: 'Heron', currency: 'USD', time_zone: 'Europe/Rome', default_tax_rate: '7' };
    expect(after({ ...own, authority })).toMatchObject(own);
    const issuer = after({ authority }, after(own));
    expect(issuer).toMatchObject(own);
    const { tax_id, units, operators, series, installation } = issuer;
    expect(after({ authority, tax_id, units, operators, series, installation, country }, issuer)).toEqual(issuer);
  });

  test('names a regime of VAT that the authority does not know as missing, and goes back to the general one by null', () => {
    const odd = after({ authority, tax_regime: '10' });
    expect(odd.tax_regime).toBe('10');
    expect(setupOf(odd, around).ready).toBe(authority !== 'es-verifactu');
    expect(after({ tax_regime: null }, odd).tax_regime).toBeNull();
  });

  test('refuses another country', () => {
    expect(wrongOf({ authority, country: 'FR' })).toEqual(['country']);
    expect(wrongOf({ country: 'FR' }, after({ authority }))).toEqual(['country']);
  });

  test.each(countries)('can go on with %s', (next, of) => {
    expect(after({ authority: next }, after({ authority }))).toMatchObject({ authority: next, country: of });
    expect(setupOf(after({ authority: next }, after({ authority })), around)).toMatchObject({ ready: true });
  });
});

test('tills that have no code are registered, but for one that every simulator knows', () => {
  const units = [{ code: 'bb123bb123', devices: ['A', 'B'] }];
  const issuer = after({ authority: 'al-cis' }, after({ units }));
  expect(issuer.devices.map(({ code, authority_code }) => [code, authority_code])).toEqual([
    ['A', 'cc123cc123'],
    ['B', null],
  ]);
  expect(setupOf(issuer, around).steps[0]?.missing).toMatchObject([{ field: 'devices', rule: 'al-cis.setup' }]);
  const coded = after({ devices: [{ code: 'B', authority_code: 'dd123dd123' }] }, issuer);
  expect(setupOf(coded, around)).toMatchObject({ ready: true });
});

describe('numbers', () => {
  const formatsOf = ({ series }: IssuerState) => Object.values(series).map(({ code, format, start }) => `${code} ${format} ${start}`);

  test('have the form of the authority, whatever was set before', () => {
    const before = after({ series: { standard: { code: 'FACT', format: '{series}/{seq}', start: 7 }, receipt: { code: 'T' } } });
    const invoices = 'FACT {seq}/{year} 7';
    expect(formatsOf(after({ authority: 'al-cis' }, before))).toEqual([invoices, invoices, invoices, 'T {seq}/{year}/{device} 1']);
    const all = 'FACT {unit}/{seq}/{year}/{device} 7';
    const montenegrin = after({ authority: 'me-efi' }, before);
    expect(formatsOf(montenegrin)).toEqual([all, all, all, all]);
    expect(formatsOf(after({ authority: 'al-cis' }, montenegrin)).at(-1)).toBe('RCP {seq}/{year}/{device} 7');
  });

  test('keep theirs where the authority asks for none', () => {
    const before = after({ series: { standard: { code: 'FACT' } } });
    expect(after({ authority: 'es-verifactu' }, before).series).toEqual(before.series);
  });

  test('leave the first one to be set, and nothing else', () => {
    const issuer = after({ authority: 'me-efi' });
    expect(wrongOf({ series: { standard: { format: '{seq}' }, receipt: { code: 'X' } } }, issuer)).toEqual(
      expect.arrayContaining(['series.standard.format', 'series.receipt.code']),
    );
    expect(after({ series: { standard: { start: 41 } } }, issuer).series.receipt.start).toBe(41);
    expect(after({ series: issuer.series }, issuer)).toEqual(issuer);
  });
});
