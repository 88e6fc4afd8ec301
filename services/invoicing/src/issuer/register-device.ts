import type { DeviceResource, RegisterDevice } from '@svc/contracts/issuer/device';
import type { DeviceRefused, DeviceRegistered } from '@svc/contracts/registration/outcome';
import type { PublicEvent } from '@svc/contracts/events/envelope';
import { type Clock, iso, uidOf } from '@svc/kernel';
import { type Identity, metadataOf } from '@svc/service';
import { shownDevice, type DeviceFacts } from './domain/devices.ts';
import { type DeviceOutcome, namedTill } from './domain/register-device.ts';
import type { IssuerState } from './domain/state.ts';
import { defaultIssuer, issuerStream, type Issuers } from './issuers.ts';

interface Registering {
  issuers: Issuers;
  clock: Pick<Clock, 'now'>;
}

export const deviceResource = (till: DeviceFacts, { livemode }: Pick<IssuerState, 'livemode'>): DeviceResource => ({
  object: 'device',
  livemode,
  ...shownDevice(till),
});

/** Asks for the registration of a till, once: a repeat changes nothing. Throws not_found, validation_error, invalid_state. */
export async function registerDevice(
  { issuers, clock }: Registering,
  identity: Identity,
  { code, unit }: { code: string } & RegisterDevice,
): Promise<DeviceResource> {
  const { account, env } = identity;
  const initial = defaultIssuer(account, env);
  const command = { type: 'register_device' as const, at: iso(clock.now()), initial, device: { code, unit } };
  const { state } = await issuers.handle(issuerStream(account, env), () => command, metadataOf(identity));
  const issuer = state ?? initial;
  return deviceResource(namedTill({ code, unit }, issuer), issuer);
}

/** Stores what the authority said to a request. A repeated outcome, or one of an earlier request, changes nothing. */
export async function applyDeviceOutcome(
  { issuers, clock }: Registering,
  { id, account, env, traceparent, data }: PublicEvent<DeviceRegistered | DeviceRefused>,
): Promise<void> {
  const { unit, device_code: code, authority, request } = data;
  const said = 'error' in data ? { error: data.error } : { authority_code: data.authority_code };
  const outcome: DeviceOutcome = { unit, code, authority, request, ...said };
  const command = { type: 'device_outcome' as const, at: iso(clock.now()), initial: defaultIssuer(account, env), outcome };
  await issuers.handle(issuerStream(account, env), () => command, {
    ...{ account, env, actor: { type: 'system' as const, id: 'fiscal-submission' }, causation: uidOf('evt', id) ?? id },
    ...(traceparent === undefined ? {} : { traceparent }),
  });
}
