import {
  About,
  IsAnyText,
  IsDay,
  IsExact,
  IsFlag,
  IsMoney,
  IsText,
  Matches,
  type MoneyInput,
  Nested,
  Nullable,
  OneOf,
  Optional,
} from '../schema/decorators/index.ts';
import { vocabulary } from '../schema/vocabulary.ts';
import { type Fixable, fixables } from '../fixable.ts';

/** A till whose registration with the authority was never asked for, is under way, is done, or was refused. */
export const deviceStates = vocabulary('DeviceState', ['unregistered', 'registering', 'registered', 'refused']);
export type DeviceState = (typeof deviceStates)[number];

/** TCRType of the fiscalization services: an ordinary till, or a vending machine. */
export const deviceTypes = vocabulary('DeviceType', ['regular', 'vending']);
export type DeviceType = (typeof deviceTypes)[number];

const CODE = 'Code of the till: one of `units[].devices`.';
const UNIT = 'Code of the unit whose till it is.';
const INTERNAL_ID = 'The issuer’s own name for the till, by which its registration can be repeated; by default `code`.';
const AUTHORITY_CODE = 'Code that the authority gave to the till. Documents that name the till need it; numbers print it.';
const TYPE = '`regular`, or `vending` for a vending machine.';
const MAINTAINER = 'Code that the authority gave to who maintains the till.';
const FROM = 'First day on which it is used; by default the day of its registration.';
const TO = 'Last day on which it is used; null: none is set.';
const INITIAL = 'Amount in the till when a day begins, which is reported before its first document; by default 0.';

/** What a till has of its own; merged by `code`. */
export class DeviceInput {
  @About(CODE) @IsText(40) code: string;
  @About(`${UNIT} Where it is not given, the till is found by \`code\`.`) @Optional() @IsText(40) unit?: string;
  @About(INTERNAL_ID) @Optional() @Nullable() @IsText(50) internal_id?: string | null;
  @About(`${AUTHORITY_CODE} Send it where other software registered the till.`)
  @Optional()
  @Nullable()
  @Matches('^[A-Za-z0-9]{1,40}$', 40, 'Send 1 to 40 letters and digits.')
  authority_code?: string | null;
  @About(TYPE) @Optional() @OneOf(deviceTypes) type?: DeviceType;
  @About(MAINTAINER) @Optional() @Nullable() @IsText(40) maintainer_code?: string | null;
  @About(FROM) @Optional() @Nullable() @IsDay() valid_from?: string | null;
  @About(TO) @Optional() @Nullable() @IsDay() valid_to?: string | null;
  @About(INITIAL) @Optional() @Nullable() @IsMoney({ decimals: 2 }) initial_amount?: MoneyInput | null;
}

/** A till as documents freeze it, and as the authority is asked to register it. */
export class FrozenDevice {
  @About(CODE) @IsAnyText(40) code: string;
  @About(UNIT) @IsAnyText(40) unit: string;
  @About(INTERNAL_ID) @IsAnyText(50) internal_id: string;
  @About(AUTHORITY_CODE) @Nullable() @IsAnyText(40) authority_code: string | null;
  @About(TYPE) @OneOf(deviceTypes) type: DeviceType;
  @About(MAINTAINER) @Nullable() @IsAnyText(40) maintainer_code: string | null;
  @About(FROM) @Nullable() @IsDay() valid_from: string | null;
  @About(TO) @Nullable() @IsDay() valid_to: string | null;
  @About(INITIAL) @IsExact() initial_amount: number;
}

export class DeviceError {
  @About('The authority’s code.') @IsAnyText(255) code: string;
  @About('Why the authority refused to register the till.') @IsAnyText(2000) message: string;
  @About('What has to be fixed before it can be registered.') @Nullable() @OneOf(fixables) fixable: Fixable | null;
}

/** Which of the tills that have the code. */
export class RegisterDevice {
  @About('Code of the unit, where several units have a till of this code.') @Optional() @IsText(40) unit?: string;
}

/** A till of the issuer. */
export class Device extends FrozenDevice {
  @About('Where its registration stands. One with an `authority_code` is registered, by whatever software.')
  @OneOf(deviceStates)
  state: DeviceState;
  @About('Why the authority refused to register it; null where it did not.')
  @Nullable()
  @Nested(() => DeviceError)
  error: DeviceError | null;
}

/** A till, as its registration answers it. */
export class DeviceResource extends Device {
  @About('Kind of resource.') @OneOf(['device']) object: 'device';
  @About('True for a live key, false in the sandbox.') @IsFlag() livemode: boolean;
}
