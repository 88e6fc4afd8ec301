import type { Device, DeviceError, DeviceInput, DeviceType, FrozenDevice } from '@svc/contracts/issuer/device';
import { decimal, type Details, jsonNumber, numberText, toText } from '@svc/kernel';

/** What is set of a till besides its code in `units`, or known of its registration. */
export interface DeviceFacts {
  code: string;
  unit: string;
  internal_id: string | null;
  authority_code: string | null;
  type: DeviceType;
  maintainer_code: string | null;
  valid_from: string | null;
  valid_to: string | null;
  /** Decimal text. */
  initial_amount: string | null;
  /** Of the registration that was asked for here. Absent: none was. */
  registration?: DeviceRegistration;
}

/** `request`: counts from 1. `at`: when it was asked for (ISO 8601). `error`: of one that was refused. */
export type DeviceRegistration = { request: number; at: string } & (
  { state: 'registering' | 'registered' } | { state: 'refused'; error: DeviceError }
);

/** The issuer as far as its tills depend on it: `devices` of a unit are their codes. */
interface Tills {
  units: readonly { code: string; devices: readonly string[] }[];
  devices: readonly DeviceFacts[];
}
type At = Pick<DeviceFacts, 'unit' | 'code'>;

const blank = ({ unit, code }: At): DeviceFacts => ({
  ...{ code, unit, internal_id: null, authority_code: null, type: 'regular', maintainer_code: null },
  ...{ valid_from: null, valid_to: null, initial_amount: null },
});

const isAt =
  ({ unit, code }: At) =>
  (one: At): boolean =>
    one.unit === unit && one.code === code;

/** Every till of the units, in their order, with what is set of it. */
export const tillsOf = ({ units, devices }: Tills): DeviceFacts[] =>
  units.flatMap(({ code: unit, devices: codes }) => codes.map((code) => devices.find(isAt({ unit, code })) ?? blank({ unit, code })));

/** As a document freezes it. */
export const frozenDevice = ({ registration: _, internal_id, initial_amount, ...facts }: DeviceFacts): FrozenDevice => ({
  ...facts,
  internal_id: internal_id ?? facts.code,
  initial_amount: jsonNumber(initial_amount ?? '0'),
});

/** As the issuer shows it. */
export const shownDevice = (facts: DeviceFacts): Device => ({
  ...frozenDevice(facts),
  state: facts.authority_code === null ? (facts.registration?.state ?? 'unregistered') : 'registered',
  error: facts.authority_code === null && facts.registration?.state === 'refused' ? facts.registration.error : null,
});

/** The facts of tills after a patch, merged by `code`; of tills that no unit has any more none are kept. */
export function mergedDevices(
  patch: readonly DeviceInput[],
  { units, devices: now }: Tills,
): { devices: DeviceFacts[]; problems: Details } {
  const kept = now.filter(({ unit, code }) => units.some((one) => one.code === unit && one.devices.includes(code)));
  const problems: Details = {};
  const next = patch.reduce<DeviceFacts[]>((devices, input, n) => {
    const unit = unitOf(input, units);
    if (typeof unit !== 'string') {
      Object.assign(problems, { [`devices.${n}.${unit.field}`]: [unit.problem] });
      return devices;
    }
    const at = { unit, code: input.code };
    const known = devices.find(isAt(at)) ?? blank(at);
    if (known.registration?.state === 'registered' && given(input.authority_code, known.authority_code) !== known.authority_code)
      problems[`devices.${n}.authority_code`] = [`is ${known.authority_code}: the authority gave it. Leave it out.`];
    const changed = merged(known, input);
    return devices.some(isAt(at)) ? devices.map((one) => (one === known ? changed : one)) : [...devices, changed];
  }, kept);
  return { devices: next.filter(isSet), problems: { ...problems, ...sharedCodes(next) } };
}

/** Whether anything is known of a till besides its code. */
const isSet = (facts: DeviceFacts): boolean => {
  const none = blank(facts);
  return (Object.keys(facts) as (keyof DeviceFacts)[]).some((name) => facts[name] !== none[name]);
};

const given = <Value>(value: Value | undefined, known: Value): Value => (value === undefined ? known : value);

/** What is sent as it is shown by default is not set. */
const merged = (known: DeviceFacts, input: DeviceInput): DeviceFacts => {
  const { internal_id = known.internal_id, initial_amount } = input;
  const isAmount = initial_amount !== undefined && initial_amount !== null;
  const amount = isAmount ? toText(decimal(numberText(initial_amount))) : initial_amount;
  return {
    ...known,
    internal_id: internal_id === known.code ? null : internal_id,
    authority_code: given(input.authority_code, known.authority_code),
    type: given(input.type, known.type),
    maintainer_code: given(input.maintainer_code, known.maintainer_code),
    valid_from: given(input.valid_from, known.valid_from),
    valid_to: given(input.valid_to, known.valid_to),
    initial_amount: amount === '0' ? null : given(amount, known.initial_amount),
  };
};

/** The unit whose till is meant, or what is wrong. */
function unitOf({ code, unit }: DeviceInput, units: Tills['units']): string | { field: 'code' | 'unit'; problem: string } {
  const having = units.filter(({ devices }) => devices.includes(code));
  if (unit !== undefined) {
    return having.some((one) => one.code === unit)
      ? unit
      : { field: 'code', problem: `is no till of ${unit}: add it to the devices of that unit.` };
  }
  const [first, ...others] = having;
  if (!first) return { field: 'code', problem: 'is no till of any unit: add it to the devices of one.' };
  return others.length === 0 ? first.code : { field: 'unit', problem: 'is required: several units have a till of this code.' };
}

/** Numbers print the authority's code: that of one till is no other's. */
function sharedCodes(devices: readonly DeviceFacts[]): Details {
  const codes = devices.flatMap(({ authority_code }) => authority_code ?? []);
  const twice = codes.find((code, n) => codes.indexOf(code) !== n);
  return twice === undefined ? {} : { devices: [`have authority codes of their own: ${twice} stands at two.`] };
}
