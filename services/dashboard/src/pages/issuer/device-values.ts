import { readDecimal } from '../../format/decimals.ts';
import { changedFields, mergeFields } from '../../ui/change.ts';
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

const typedOf = (device: Device): DeviceValues => ({ code: device.code, unit: device.unit, type: device.type, ...textsOf(device) });

export const valuesOf = ({ devices }: Issuer): { devices: DeviceValues[] } => ({ devices: devices.slice(0, MOST_DEVICES).map(typedOf) });

/** Whether what is typed of a till differs from what is known of it. */
export const isTyped = (device: Device, values: DeviceValues): boolean =>
  Object.keys(changedFields(sentOf(typedOf(device)), sentOf(values))).length > 0;

const sentOf = (device: DeviceValues): Partial<Device> =>
  Object.fromEntries(
    Object.entries(device).map(([name, text]) => [
      name,
      name === 'code' || name === 'unit' || name === 'type' ? text : (name === 'initial_amount' ? readDecimal(text) : text.trim()) || null,
    ]),
  );

const sameIn = <Row extends Pick<Device, 'code' | 'unit'>>(rows: readonly Row[], { code, unit }: Pick<Device, 'code' | 'unit'>) =>
  rows.find((row) => row.code === code && row.unit === unit);

interface Versions {
  before: { devices: DeviceValues[] };
  now: { devices: DeviceValues[] };
  mine: { devices: DeviceValues[] };
}

/** The tills that there are now, of each the fields that this person has changed: a code that the authority has given since is not taken back. */
export const mergeDevices = ({ before, now, mine }: Versions): { devices: DeviceValues[] } => ({
  devices: now.devices.map((device) => {
    const [known, typed] = [sameIn(before.devices, device), sameIn(mine.devices, device)];
    return known && typed ? mergeFields({ before: known, now: device, mine: typed }) : device;
  }),
});

/** What a PATCH sends: of each till what differs, under its code; nothing where none differs. Places in the list stay, so that errors name them. */
export function changesOf({ devices: before }: { devices: DeviceValues[] }, { devices: now }: { devices: DeviceValues[] }): IssuerChange {
  const sent = now.map((device) => {
    const known = sameIn(before, device);
    return { code: device.code, unit: device.unit, ...changedFields(known ? sentOf(known) : {}, sentOf(device)) };
  });
  return sent.some((device) => Object.keys(device).length > 2) ? ({ devices: sent } as IssuerChange) : {};
}
