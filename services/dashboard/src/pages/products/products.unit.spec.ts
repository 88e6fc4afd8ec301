import { type Basics, priceOf, type Product, ratesOf } from './products.ts';

const issuer = { currency: 'EUR', default_tax_rate: '21' } as Basics;
const product = (to: Partial<Product>) => ({ unit_price: '3.5', currency: null, taxes: null, ...to }) as Product;

test('what a product does not name is the issuer’s: its currency and its tax', () => {
  expect([priceOf(product({}), issuer), ratesOf(product({}), issuer)].map((text) => text.replaceAll('\u00a0', ' '))).toEqual([
    'EUR 3.50',
    '21',
  ]);
});

test('a product without tax, or without a price, has a dash', () => {
  expect([priceOf(product({ unit_price: null }), issuer), ratesOf(product({ taxes: [] }), issuer)]).toEqual(['—', '—']);
});

test('while the issuer is not read, the price is its number', () => {
  expect([priceOf(product({}), undefined), ratesOf(product({}), undefined)]).toEqual(['3.5', '—']);
});
