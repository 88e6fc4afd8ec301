import type { IssuerState } from './state.ts';

/** Where a document is issued, and by whom: codes of the issuer's. */
export interface PointOfSale {
  unit: string | null;
  device: string | null;
  operator: string | null;
}

type Staff = Pick<IssuerState, 'units' | 'operators'>;

/** As given, by default the issuer's first. */
export function pointOfSale(given: Partial<PointOfSale>, { units, operators }: Staff): PointOfSale {
  const unit = given.unit ?? units[0]?.code ?? null;
  return {
    unit,
    device: given.device ?? units.find(({ code }) => code === unit)?.devices[0] ?? null,
    operator: given.operator ?? operators[0]?.code ?? null,
  };
}

/** The issuer with only the unit, the device and the operator of the point of sale. */
export function staffAt({ unit, device, operator }: PointOfSale, { units, operators }: Staff): Staff {
  const used = units.filter(({ code }) => code === unit);
  return {
    units: used.map((one) => ({ ...one, devices: one.devices.filter((each) => each === device) })),
    operators: operators.filter(({ code }) => code === operator),
  };
}
