import type { Issuer } from './issuer.ts';
import { changesOf, isTyped, mergeDevices, valuesOf } from './device-values.ts';

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

test('a code that the authority has given since the form was opened stays, beside what was typed of the same till and of another', () => {
  const now = valuesOf({ devices: [device('T1', { authority_code: 'dd123dd123' }), device('T2'), device('T3')] } as unknown as Issuer);
  const merged = mergeDevices({ before, now, mine: typed(0, { maintainer_code: 'mm123mm123' }) });
  expect(merged.devices.map(({ code, authority_code, maintainer_code }) => [code, authority_code, maintainer_code])).toEqual([
    ['T1', 'dd123dd123', 'mm123mm123'],
    ['T2', '', ''],
    ['T3', '', ''],
  ]);
  expect(changesOf(now, merged)).toEqual({
    devices: [{ code: 'T1', unit: 'SHOP', maintainer_code: 'mm123mm123' }, ...['T2', 'T3'].map((code) => ({ code, unit: 'SHOP' }))],
  });
});

test('a till is as it is known until something else is typed', () => {
  const known = device('T1') as Parameters<typeof isTyped>[0];
  const [shown] = before.devices;
  if (!shown) throw new Error('no till');
  expect([isTyped(known, { ...shown, maintainer_code: ' ' }), isTyped(known, { ...shown, maintainer_code: 'mm' })]).toEqual([false, true]);
});
