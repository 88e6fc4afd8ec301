import { mergedDevices, shownDevice, tillsOf, type DeviceFacts } from './devices.ts';

const unit = (code: string, ...devices: string[]) => ({ code, address: null, devices });
const at = '2026-01-16T12:00:00.000Z';
const units = [unit('U1', 'A', 'B'), unit('U2', 'B')];
const blank = { internal_id: null, authority_code: null, type: 'regular' as const, maintainer_code: null };
const till = (code: string, over: Partial<DeviceFacts> = {}): DeviceFacts => ({
  ...{ code, unit: 'U1', ...blank, valid_from: null, valid_to: null, initial_amount: null },
  ...over,
});

test('are merged by code: what is not sent stays, null removes', () => {
  const now = [till('A', { maintainer_code: 'm', valid_to: '2026-12-31' })];
  const { devices, problems } = mergedDevices([{ code: 'A', valid_to: null, initial_amount: '10.50' }], { units, devices: now });
  expect(problems).toEqual({});
  expect(devices).toEqual([till('A', { maintainer_code: 'm', initial_amount: '10.5' })]);
});

test('are found by their code alone where one unit has it', () => {
  expect(mergedDevices([{ code: 'B' }, { code: 'C' }, { code: 'A', unit: 'U2' }], { units, devices: [] }).problems).toEqual({
    'devices.0.unit': [expect.stringContaining('several units')],
    'devices.1.code': [expect.stringContaining('no till of any unit')],
    'devices.2.code': [expect.stringContaining('no till of U2')],
  });
  const known = { maintainer_code: 'm' };
  expect(mergedDevices([{ code: 'B', unit: 'U2', ...known }], { units, devices: [] }).devices).toEqual([
    till('B', { unit: 'U2', ...known }),
  ]);
});

test('sent as they are shown change nothing', () => {
  const [shown] = tillsOf({ units, devices: [] }).map(shownDevice);
  const { state: _, error: _error, ...input } = shown!;
  expect(mergedDevices([input], { units, devices: [] }).devices).toEqual([]);
});

test('of a unit that has them no more are gone', () => {
  expect(
    mergedDevices([], { units: [unit('U1', 'B')], devices: [till('A', { type: 'vending' }), till('B', { type: 'vending' })] }).devices,
  ).toEqual([till('B', { type: 'vending' })]);
});

test('have codes of their own, and keep the one that the authority gave', () => {
  const registered = till('A', { authority_code: 'cc1', registration: { request: 1, at, state: 'registered' } });
  const merge = (authority_code: string | null, code = 'A') =>
    Object.keys(mergedDevices([{ code, unit: 'U1', authority_code }], { units, devices: [registered] }).problems);
  expect([merge('cc1'), merge('cc2'), merge(null), merge('cc1', 'B')]).toEqual([
    [],
    ['devices.0.authority_code'],
    ['devices.0.authority_code'],
    ['devices'],
  ]);
});

test('show whether they are registered, by whatever software', () => {
  const error = { code: '43', message: 'unknown', fixable: 'setup' as const };
  const shown = [
    till('A', { authority_code: 'cc1' }),
    till('B', { registration: { request: 1, at, state: 'registering' } }),
    till('B', { unit: 'U2', registration: { request: 2, at, state: 'refused', error } }),
  ];
  expect(tillsOf({ units, devices: shown }).map(shownDevice)).toMatchObject([
    { code: 'A', internal_id: 'A', initial_amount: 0, state: 'registered', error: null },
    { code: 'B', unit: 'U1', state: 'registering', error: null },
    { code: 'B', unit: 'U2', state: 'refused', error },
  ]);
  expect(
    tillsOf({ units, devices: [] })
      .map(shownDevice)
      .map(({ state }) => state),
  ).toEqual(Array(3).fill('unregistered'));
});
