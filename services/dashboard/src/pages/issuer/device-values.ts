import { changedFields } from '../../ui/change.ts';
import type { Issuer, IssuerChange } from './issuer.ts';

export type Device = Issuer['devices'][number];

/** Its texts, in the order of the form. */
export const deviceTexts = ['authority_code', 'maintainer_code', 'internal_id', 'valid_from', 'valid_to', 'initial_amount'] as const;
export type DeviceField = (typeof deviceTexts)[number] | 'type';
/** A till as it is typed. */
export type DeviceValues = Record<DeviceField, string> & Pick<Device, 'code' | 'unit'>;

/** So many tills are shown and sent together. */
export const MOST_DEVICES = 100;

const textsOf = (device: Device): Record<(typeof deviceTexts)[number], string> =>
  Object.fromEntries(deviceTexts.map((name) => [name, String(device[name] ?? '')])) as ReturnType<typeof textsOf>;

export const valuesOf = ({ devices }: Issuer): { devices: DeviceValues[] } => ({
  devices: devices
    .slice(0, MOST_DEVICES)
    .map((device) => ({ code: device.code, unit: device.unit, type: device.type, ...textsOf(device) })),
});

const sentOf = (device: DeviceValues): Partial<Device> =>
  Object.fromEntries(
    Object.entries(device).map(([name, text]) => [
      name,
      name === 'code' || name === 'unit' || name === 'type' ? text : text.trim() || null,
    ]),
  );

/** What a PATCH sends: of each till what differs, under its code; nothing where none differs. Places in the list stay, so that errors name them. */
export function changesOf({ devices: before }: { devices: DeviceValues[] }, { devices: now }: { devices: DeviceValues[] }): IssuerChange {
  const sent = now.map((device) => {
    const known = before.find(({ code, unit }) => code === device.code && unit === device.unit);
    return { code: device.code, unit: device.unit, ...changedFields(known ? sentOf(known) : {}, sentOf(device)) };
  });
  return sent.some((device) => Object.keys(device).length > 2) ? ({ devices: sent } as IssuerChange) : {};
}
