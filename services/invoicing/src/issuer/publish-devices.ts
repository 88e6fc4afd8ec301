import { topics } from '@svc/contracts/events/envelope';
import { type DeviceRegistrationRequested, DeviceRegistrationRequestedV1 } from '@svc/contracts/registration/requested';
import type { Publication } from '@svc/event-bus/publishing/publisher';
import { frozenDevice, tillsOf, type DeviceFacts } from './domain/devices.ts';
import { staffAt } from './domain/point-of-sale.ts';
import type { IssuerState } from './domain/state.ts';

/** Requests to register tills that a change of the issuer holds. */
export const requestedTills = (before: IssuerState, after: IssuerState): Publication[] =>
  tillsOf(after).flatMap((till) => {
    const asked = till.registration;
    if (asked?.state !== 'registering' || asked.request <= requestOf(till, before)) return [];
    const issuer = issuerOf(after, till);
    const of = { issuer_id: after.id, authority: after.authority, request: asked.request, requested_at: asked.at };
    const data = { ...of, device: frozenDevice(till), issuer } as unknown as DeviceRegistrationRequested;
    return [{ topic: topics.registration, type: DeviceRegistrationRequestedV1.type, data }];
  });

const requestOf = ({ unit, code }: DeviceFacts, issuer: IssuerState): number =>
  tillsOf(issuer).find((one) => one.unit === unit && one.code === code)?.registration?.request ?? 0;

/** As documents freeze it, with the unit of the till alone. */
function issuerOf(of: IssuerState, { unit, code }: DeviceFacts): object {
  const { id, legal_name, trade_name, tax_id, vat_registered, address, country, currency, time_zone, language, software_code, authority } =
    of;
  const named = { id, legal_name, trade_name, tax_id, vat_registered, address, country, currency, time_zone, language, software_code };
  return { ...named, ...staffAt({ unit, device: code, operator: null }, of), authority };
}
