import { registerHooks } from 'node:module';
import { seeded } from '@svc/kernel/testing/seeded';
import type { Adjustment, DocumentAdjustment, LineTerms, Tax, Terms } from './terms.ts';
import { totalsOf } from './totals.ts';

const DOCUMENTS = 25_000;

const random = seeded(1);
const upTo = (most: number): number => Math.floor(random() * (most + 1));
const oneIn = (count: number): boolean => upTo(count - 1) === 0;
const pick = <T>(list: readonly T[]): T => list[upTo(list.length - 1)]!;
const several = <T>(most: number, make: () => T): T[] => Array.from({ length: upTo(most) }, make);

/** Canonical text of `units` in units of 10^-places. */
function textOf(units: bigint | number, places: number): string {
  const digits = `${units}`.padStart(places + 1, '0');
  const point = digits.length - places;
  return places === 0 ? digits : `${digits.slice(0, point)}.${digits.slice(point)}`.replace(/\.?0+$/, '');
}

/** Of as many digits as the contract allows: 12 before the point, 8 after it. */
const long = (): string => textOf(BigInt(upTo(10 ** upTo(12))) * 10n ** 8n + BigInt(upTo(10 ** 8 - 1)), 8);
/** Two numbers whose product, in units of their decimals, is next to 2^53, from where on doubles are not exact. */
function nextToLimit(): [quantity: string, price: string] {
  const quantity = 1 + upTo(10 ** upTo(8));
  const price = (2n ** 53n + BigInt(upTo(6) - 3)) / BigInt(quantity);
  const places = upTo(8);
  return [textOf(quantity, upTo(4)), textOf(price % 10n ** BigInt(12 + places), places)];
}
function quantityAndPrice(): [quantity: string, price: string] {
  if (oneIn(20)) return [long(), long()];
  if (oneIn(20)) return nextToLimit();
  return [oneIn(2) ? `${1 + upTo(20)}` : textOf(1 + upTo(9_999), upTo(3)), textOf(upTo(99_999), upTo(4))];
}

const percent = (): string => (oneIn(4) ? textOf(upTo(99_999_999), 6) : textOf(upTo(400), 1));
const adjustment = (decimals: number): Adjustment =>
  oneIn(2) ? { percent: percent() } : { amount: textOf(upTo(oneIn(10) ? 10 ** 14 : 999), upTo(decimals)) };

/** One tax that inclusive prices can include, or none, and with it up to two that the payer withholds. */
function taxes(): Tax[] {
  const rate = oneIn(20) ? percent() : pick(['21', '21', '10', '5.5', '0']);
  const surcharge = oneIn(8) ? { surcharge: pick(['5.2', '1.4', '0.333333']) } : {};
  const borne: Tax = { category: pick(['VAT', 'VAT', 'IGIC']), code: rate === '0' ? 'Z' : 'S', rate, retained: false, ...surcharge };
  const withheld = (): Tax => ({ category: 'IRPF', code: 'S', rate: pick(['15', '7']), retained: true });
  const list = [...(oneIn(10) ? [] : [borne]), ...(oneIn(6) ? [withheld()] : []), ...(oneIn(30) ? [withheld()] : [])];
  return oneIn(2) ? list : list.reverse();
}

function randomTerms(): Terms {
  const decimals = pick([0, 2, 2, 2, 3, 4]);
  const pool = [taxes(), ...several(3, taxes)];
  const item = (): LineTerms => {
    const [quantity, unit_price] = quantityAndPrice();
    const [discounts, charges] = [
      several(oneIn(3) ? 2 : 0, () => adjustment(decimals)),
      several(oneIn(5) ? 2 : 0, () => adjustment(decimals)),
    ];
    return { quantity: oneIn(10) ? `-${quantity}` : quantity, unit_price, discounts, charges, taxes: pick(pool) };
  };
  const ofDocument = (): DocumentAdjustment => ({ ...adjustment(decimals), ...(oneIn(4) ? { taxes: pick([taxes(), ...pool]) } : {}) });
  return {
    decimals,
    prices_include_tax: oneIn(2),
    rounding: pick(['line', 'precise']),
    items: [item(), ...several(oneIn(5) ? 19 : 4, item)],
    discounts: several(oneIn(3) ? 2 : 0, ofDocument),
    charges: several(oneIn(4) ? 2 : 0, ofDocument),
  };
}

/** `totalsOf` of modules that are loaded once more, where what they import of the kernel calculates with big.js. */
async function totalsOnBigJs(): Promise<typeof totalsOf> {
  const { search } = new URL(import.meta.url);
  const again = `${search || '?'}&big`;
  let isOnBig = false;
  const hooks = registerHooks({
    resolve(specifier, context, next) {
      if (!context.parentURL?.endsWith(again)) return next(specifier, context);
      if (specifier !== '@svc/kernel') return next(specifier, context);
      isOnBig = true;
      return next('./testing/kernel-on-big.ts', { ...context, parentURL: import.meta.url });
    },
  });
  const loaded = (await import(`./totals.ts${again}`)) as { totalsOf: typeof totalsOf };
  hooks.deregister();
  expect(isOnBig).toBe(true);
  return loaded.totalsOf;
}

test(`${DOCUMENTS} documents: every amount is the one that big.js calculates, digit for digit`, async () => {
  const bigTotalsOf = await totalsOnBigJs();
  for (let n = 0; n < DOCUMENTS; n += 1) {
    const terms = randomTerms();
    const [found, expected] = [JSON.stringify(totalsOf(terms)), JSON.stringify(bigTotalsOf(terms))];
    if (found !== expected) throw new Error(`${JSON.stringify(terms)}: ${found}, not ${expected}`);
  }
});
