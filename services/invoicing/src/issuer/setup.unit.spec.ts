import { createIds, prefixed, systemClock } from '@svc/kernel';
import { defaultIssuer } from './issuers.ts';
import { setupOf } from './domain/setup.ts';

const account = prefixed('acct', createIds(systemClock).next());
const missing = (over: object, env: 'live' | 'test' = 'test'): string[] =>
  setupOf({ ...defaultIssuer(account, env), ...over }).steps.flatMap(({ id, missing: of }) => of.map(({ field }) => `${id}: ${field}`));

test('a test issuer is ready, a live one has neither name nor authority', () => {
  expect(setupOf(defaultIssuer(account, 'test'))).toMatchObject({ ready: true });
  expect(setupOf(defaultIssuer(account, 'live'))).toMatchObject({
    ready: false,
    steps: [{ done: false }, { done: true }, { done: false }],
  });
  expect(missing({}, 'live')).toEqual([
    ...['legal_name', 'tax_id', 'address', 'country'].map((field) => `issuer: ${field}`),
    'authority: authority',
  ]);
});

test('names what its authority and its country want', () => {
  const albanian = { country: 'AL', currency: 'ALL', authority: 'al-cis' };
  expect(missing(albanian)).toEqual([
    ...['tax_id', 'software_code', 'units', 'operators'].map((field) => `issuer: ${field}`),
    ...['series.standard', 'series.receipt'].map((field) => `numbers: ${field}`),
  ]);
});
