import type { FrozenDevice } from '@svc/contracts/issuer/device';
import type { Details } from '@svc/kernel';
import { rulesOfAuthority } from '@svc/tax-rules';
import type { NumberSettings } from '../../numbering/domain/settings.ts';
import { frozenDevice, tillsOf } from './devices.ts';
import type { IssuerState } from './state.ts';

/** Where a document is issued, and by whom: codes of the issuer's. */
export interface PointOfSale {
  unit: string | null;
  device: string | null;
  operator: string | null;
}

type Staff = Pick<IssuerState, 'units' | 'operators'>;

/** As given, by default the issuer's first. */
export function pointOfSale(given: { [Part in keyof PointOfSale]?: string | null | undefined }, { units, operators }: Staff): PointOfSale {
  const unit = given.unit ?? units[0]?.code ?? null;
  return {
    unit,
    device: given.device ?? units.find(({ code }) => code === unit)?.devices[0] ?? null,
    operator: given.operator ?? operators[0]?.code ?? null,
  };
}

/** What of it the issuer does not have, by field. */
export function placeProblems(given: { [Part in keyof PointOfSale]?: string | null | undefined }, issuer: Staff): Details {
  const { unit, device, operator } = pointOfSale(given, issuer);
  const own = issuer.units.find(({ code }) => code === unit);
  return {
    ...(unit === null || own ? {} : { unit: ["is none of the issuer's units."] }),
    ...(device === null || own?.devices.includes(device) ? {} : { device: ["is none of the unit's devices."] }),
    ...(operator === null || issuer.operators.some(({ code }) => code === operator)
      ? {}
      : { operator: ["is none of the issuer's operators."] }),
  };
}

/** What of the issuer is looked at for the part of the point of sale. */
const JUDGED = { unit: ['units', 'devices'], device: ['devices'], operator: ['operators'] } as const;

/** What is wrong besides the point of sale: of parts that the issuer does not have nothing is missing of it. `place`: as of `placeProblems`. */
export function besidesPlace(problems: Details, place: Details): Details {
  const parts = (Object.keys(JUDGED) as (keyof typeof JUDGED)[]).filter((part) => Object.hasOwn(place, part));
  const blamed = new Set(parts.flatMap((part) => JUDGED[part].map((field) => `issuer.${field}`)));
  return Object.fromEntries(Object.entries(problems).filter(([field]) => !blamed.has(field)));
}

/** The issuer with only the unit, the device and the operator of the point of sale. `devices`: absent where nothing is set of that till. */
export function staffAt(
  { unit, device, operator }: PointOfSale,
  { units, operators, devices }: Staff & Pick<IssuerState, 'devices'>,
): Staff & { devices?: FrozenDevice[] } {
  const used = units.filter(({ code }) => code === unit);
  const tills = devices.filter((one) => one.unit === unit && one.code === device).map(frozenDevice);
  return {
    units: used.map((one) => ({ ...one, devices: one.devices.filter((each) => each === device) })),
    ...(tills.length > 0 && { devices: tills }),
    operators: operators.filter(({ code }) => code === operator),
  };
}

type Numbered = Pick<IssuerState, 'series' | 'units' | 'devices' | 'time_zone' | 'authority'>;

/** What numbers depend on: tills are counted, and printed, by the codes of the authority where it gives the form of numbers. */
export function numberSettings(issuer: Numbered): NumberSettings {
  if (!rulesOfAuthority(issuer.authority)?.number_formats) return issuer;
  const printed = new Map(tillsOf(issuer).map(({ unit, code, authority_code }) => [`${unit}\n${code}`, authority_code ?? code]));
  const units = issuer.units.map(({ code, devices }) => ({ code, devices: devices.map((one) => printed.get(`${code}\n${one}`) ?? one) }));
  const { series, time_zone } = issuer;
  return { series, time_zone, units };
}

/** The same of one place. */
export function numberedPlace(
  { unit, device }: Pick<PointOfSale, 'unit' | 'device'>,
  issuer: Numbered,
): Pick<PointOfSale, 'unit' | 'device'> {
  if (!rulesOfAuthority(issuer.authority)?.number_formats) return { unit, device };
  return { unit, device: tillsOf(issuer).find((one) => one.unit === unit && one.code === device)?.authority_code ?? device };
}
