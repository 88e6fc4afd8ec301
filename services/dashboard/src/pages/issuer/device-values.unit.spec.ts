import type { Issuer } from './issuer.ts';
import { changesOf, valuesOf } from './device-values.ts';

const device = (code: string, of: object = {}) => ({
  ...{ code, unit: 'SHOP', internal_id: code, authority_code: null, type: 'regular', maintainer_code: null },
  ...{ valid_from: null, valid_to: null, initial_amount: '0', state: 'unregistered', error: null, ...of },
});
const before = valuesOf({ devices: [device('T1'), device('T2', { authority_code: 'cc123cc123' })] } as unknown as Issuer);

const typed = (n: number, to: object) => ({ devices: before.devices.map((one, at) => (at === n ? { ...one, ...to } : one)) });

test('of each till what differs is sent, at its place in the list, and an empty text is none', () => {
  expect(changesOf(before, typed(1, { authority_code: '', valid_to: '2026-12-31' }))).toEqual({
    devices: [
      { code: 'T1', unit: 'SHOP' },
      { code: 'T2', unit: 'SHOP', authority_code: null, valid_to: '2026-12-31' },
    ],
  });
});

test('nothing is sent where no till differs', () => {
  expect(changesOf(before, typed(0, { authority_code: ' ' }))).toEqual({});
});
