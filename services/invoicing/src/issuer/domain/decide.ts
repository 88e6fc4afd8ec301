import type { UpdateIssuer } from '@svc/contracts/issuer/requests';
import { type Decider, invalid, jsonBytes, sameJson } from '@svc/kernel';
import { noTaxIdOf, type TaxIdCheck } from '../../customer/domain/tax-id.ts';
import type { IssuerEvent } from './events.ts';
import { evolve } from './evolve.ts';
import { mergedIssuer } from './merge.ts';
import { type DeviceName, type DeviceOutcome, withOutcome, withRequest } from './register-device.ts';
import { isOwnTestTaxId } from './test-values.ts';
import type { IssuerState } from './state.ts';

/** `initial`: its defaults while nothing is stored; their tax id is derived from the account, and always passes. */
interface At {
  at: string;
  initial: IssuerState;
}

export interface UpdateCommand extends At {
  type: 'update';
  /** A number of an installation that none has had. */
  installation: string;
  patch: UpdateIssuer;
  isTaxId: TaxIdCheck;
}

export type IssuerCommand =
  UpdateCommand | ({ type: 'register_device'; device: DeviceName } & At) | ({ type: 'device_outcome'; outcome: DeviceOutcome } & At);

/** The first change stores the initial issuer and then the changed one, so that the version goes from 1 to 2. Throws validation_error, not_found, invalid_state. */
function decide(command: IssuerCommand, state: IssuerState | null): IssuerEvent[] {
  const { at, initial } = command;
  const now = state ?? initial;
  const next = after(command, now);
  if (Object.entries(next).every(([field, value]) => sameJson(value, now[field as keyof IssuerState]))) return [];
  checkTills(next, now);
  checkSize(next, now);
  const { updated_at: _before, ...whole } = next;
  const updated: IssuerEvent = { type: 'IssuerUpdated', data: { at, ...whole } };
  if (state !== null) return [updated];
  const { created_at, updated_at: _, ...fields } = initial;
  return [{ type: 'IssuerCreated', data: { at: created_at, ...fields } }, updated];
}

function after(command: IssuerCommand, now: IssuerState): IssuerState {
  switch (command.type) {
    case 'update': {
      const { initial, installation, patch, isTaxId } = command;
      const next = mergedIssuer(patch, now, { initial, installation });
      if (next.tax_id !== initial.tax_id && !isOwnTestTaxId(next.tax_id, initial)) checkTaxId(next, now, isTaxId);
      return next;
    }
    case 'register_device':
      return withRequest(command.device, now, command.at);
    case 'device_outcome':
      return withOutcome(command.outcome, now);
    default:
      return command satisfies never;
  }
}

export const issuerDecider: Decider<IssuerState | null, IssuerCommand, IssuerEvent> = { initialState: null, decide, evolve };

/** Every read shows all of them. */
const MOST_TILLS = 1_000;

/** Throws validation_error. An issuer stored with more before there was this limit may change without growing. */
function checkTills(next: IssuerState, now: IssuerState): void {
  const count = ({ units }: IssuerState): number => units.reduce((sum, { devices }) => sum + devices.length, 0);
  if (count(next) <= MOST_TILLS || count(next) <= count(now)) return;
  throw invalid({ units: [`have at most ${MOST_TILLS} tills together: they would have ${count(next)}. A till that is not used can go.`] });
}

/** Of its JSON. */
const MOST_BYTES = 64 * 1_024;

/** Throws validation_error naming the largest field. An issuer stored larger before there was this limit may change without growing. */
function checkSize(next: IssuerState, now: IssuerState): void {
  const bytes = jsonBytes(next);
  if (bytes <= MOST_BYTES || bytes <= jsonBytes(now)) return;
  const [largest] = (['units', 'devices', 'operators', 'metadata'] as const).toSorted((a, b) => jsonBytes(next[b]) - jsonBytes(next[a]));
  throw invalid({ [largest ?? 'units']: [`make the issuer larger than ${MOST_BYTES / 1_024} KiB of JSON: it would have ${bytes} bytes.`] });
}

/** The tax id is of the country of the address, else of the issuer's. */
const taxCountry = ({ address, country }: IssuerState): string | null => address?.country ?? country;

/** Judges the tax id where it or its country changes: one that was stored before this rule may stay. Throws validation_error. */
function checkTaxId(next: IssuerState, now: IssuerState, isTaxId: TaxIdCheck): void {
  const country = taxCountry(next);
  if (next.tax_id === null || country === null) return;
  if (next.tax_id === now.tax_id && country === taxCountry(now)) return;
  if (!isTaxId(country, next.tax_id)) throw invalid({ tax_id: [noTaxIdOf(country)] });
}
