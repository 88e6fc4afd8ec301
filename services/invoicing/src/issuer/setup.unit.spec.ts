import { createIds, prefixed, systemClock } from '@svc/kernel';
import { defaultIssuer } from './issuers.ts';
import { missingOf, setupOf } from './domain/setup.ts';

const account = prefixed('acct', createIds(systemClock).next());
const around = { closed: [], lacking: { live: {}, test: {} } };
const missing = (over: object, env: 'live' | 'test' = 'test'): string[] =>
  setupOf({ ...defaultIssuer(account, env), ...over }, around).steps.flatMap(({ id, missing: of }) =>
    of.map(({ field }) => `${id}: ${field}`),
  );

test('a test issuer is ready, a live one has neither name nor authority', () => {
  expect(setupOf(defaultIssuer(account, 'test'), around)).toMatchObject({ ready: true });
  expect(setupOf(defaultIssuer(account, 'live'), around)).toMatchObject({
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

test('a live issuer is asked to have its operator set what the deployment lacks, in the setup and before a number', () => {
  const live = { 'al-cis': ['al-cis.tls.pem in AUTHORITY_TRUST', 'al-cis.answers.pem in AUTHORITY_TRUST'], 'es-verifactu': [] };
  const lacking = { live, test: {} };
  const of = (authority: 'al-cis' | 'es-verifactu', env: 'live' | 'test' = 'live') => {
    const issuer = { ...defaultIssuer(account, env), authority };
    return [setupOf(issuer, { closed: [], lacking }).steps[2], missingOf(issuer, { lacking })['issuer.authority']];
  };
  const message = expect.stringContaining('operator of this installation to set: al-cis.tls.pem in AUTHORITY_TRUST, al-cis.answers.pem');
  expect(of('al-cis')).toMatchObject([{ done: false, missing: [{ field: 'authority', rule: 'installation', message }] }, [message]]);
  expect(of('es-verifactu')).toMatchObject([{ done: true, missing: [] }, undefined]);
  expect(of('al-cis', 'test')).toMatchObject([{ done: true }, undefined]);
});
