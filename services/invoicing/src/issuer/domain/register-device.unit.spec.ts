import type { DomainError } from '@svc/kernel';
import { defaultIssuer } from '../issuers.ts';
import { issuerDecider, type IssuerCommand } from './decide.ts';
import { shownDevice, tillsOf } from './devices.ts';
import type { DeviceOutcome } from './register-device.ts';
import type { IssuerState } from './state.ts';

const initial = defaultIssuer('acct_01jh2k3m4n5p6q7r8s9t0v1w2x', 'test');
const at = '2026-01-16T23:30:00.000Z';
const till = (code: string, over: object = {}) => ({
  ...{ code, unit: 'bb123bb123', internal_id: null, authority_code: null, type: 'regular' as const, maintainer_code: 'mm123mm123' },
  ...{ valid_from: null, valid_to: null, initial_amount: null, ...over },
});
const albanian: IssuerState = {
  ...initial,
  ...{ authority: 'al-cis', country: 'AL', time_zone: 'Europe/Tirane', tax_id: 'L12345678A', software_code: 'ss123ss123' },
  units: [{ code: 'bb123bb123', address: null, devices: ['T1', 'T2'] }],
  devices: [till('T1', { authority_code: 'cc123cc123' }), till('T2')],
  operators: [{ code: 'oo123oo123', name: 'Ana' }],
};

const after = (now: IssuerState, command: Omit<IssuerCommand, 'initial'>): IssuerState => {
  const events = issuerDecider.decide({ initial, ...command } as IssuerCommand, now);
  return events.reduce(issuerDecider.evolve, now) as IssuerState;
};
const asked = (now: IssuerState, code = 'T2', over: { unit?: string; at?: string } = {}): IssuerState =>
  after(now, { type: 'register_device', at: over.at ?? at, device: { code, unit: over.unit } } as never);
const answered = (now: IssuerState, outcome: Partial<DeviceOutcome> = {}): IssuerState =>
  after(now, {
    ...{ type: 'device_outcome', at },
    outcome: { unit: 'bb123bb123', code: 'T2', authority: 'al-cis', request: 1, authority_code: 'cc123cc124', ...outcome } as DeviceOutcome,
  } as never);
const shown = (issuer: IssuerState, code = 'T2') =>
  tillsOf(issuer)
    .filter((one) => one.code === code)
    .map(shownDevice)[0];
const refused = (run: () => unknown): [string, string[]] | undefined => {
  try {
    run();
  } catch (error) {
    const { code, details = {} } = error as DomainError;
    return [code, Object.keys(details)];
  }
  return undefined;
};

describe('the registration of a till', () => {
  test('is asked for, from the day in the issuer’s zone on, and ends with its code', () => {
    const now = asked(albanian);
    expect(shown(now)).toMatchObject({ state: 'registering', valid_from: '2026-01-17', authority_code: null });
    expect(shown(answered(now))).toMatchObject({ state: 'registered', authority_code: 'cc123cc124', error: null });
  });

  test('ends with why it was refused, and can then be asked for again', () => {
    const error = { code: '43', message: 'no', fixable: 'setup' } as const;
    const now = answered(asked(albanian), { authority_code: undefined, error } as never);
    expect(shown(now)).toMatchObject({ state: 'refused', error });
    const again = asked(now);
    expect(shown(again)).toMatchObject({ state: 'registering', error: null });
    expect(shown(answered(again, { request: 2 }))).toMatchObject({ state: 'registered' });
  });

  test('is asked for once in a minute, and not of a till that has its code', () => {
    const now = asked(albanian);
    expect(asked(now, 'T2', { at: '2026-01-16T23:30:59.000Z' })).toEqual(now);
    expect(tillsOf(asked(now, 'T2', { at: '2026-01-16T23:31:01.000Z' }))[1]?.registration).toMatchObject({ request: 2 });
    expect(asked(albanian, 'T1')).toEqual(albanian);
  });

  test('ignores outcomes of another request or authority, and of a till that is gone', () => {
    const now = asked(albanian);
    expect(answered(now, { request: 2 })).toEqual(now);
    expect(answered(now, { authority: 'me-efi' })).toEqual(now);
    expect(answered(now, { code: 'T9' })).toEqual(now);
    expect(answered(albanian)).toEqual(albanian);
  });

  test('gives no till the code of another one', () => {
    const now = answered(asked(albanian), { authority_code: 'cc123cc123' } as never);
    expect(shown(now)).toMatchObject({ state: 'refused', authority_code: null, error: { code: 'code_of_another_till' } });
  });

  test('names a till that is there, and its unit where several have one of the code', () => {
    expect(refused(() => asked(albanian, 'T9'))).toEqual(['not_found', []]);
    expect(refused(() => asked(albanian, 'T2', { unit: 'other' }))).toEqual(['validation_error', ['unit']]);
    const two = { ...albanian, units: [...albanian.units, { code: 'bb123bb124', address: null, devices: ['T2'] }] };
    expect(refused(() => asked(two))).toEqual(['validation_error', ['unit']]);
    expect(
      refused(() => asked({ ...two, devices: [...two.devices, till('T2', { unit: 'bb123bb124' })] }, 'T2', { unit: 'bb123bb124' })),
    ).toBeUndefined();
  });

  test('is refused where the authority registers no tills, or something is missing that it names', () => {
    expect(refused(() => asked({ ...albanian, authority: 'sandbox' }))).toEqual(['invalid_state', []]);
    expect(refused(() => asked({ ...albanian, authority: null }))).toEqual(['invalid_state', []]);
    const bare = { ...albanian, software_code: null, devices: [till('T1'), till('T2', { maintainer_code: null })] };
    expect(refused(() => asked(bare))).toEqual(['validation_error', ['issuer.software_code', 'maintainer_code']]);
  });
});
