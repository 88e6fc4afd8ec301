import type { Rows } from '../http/route.ts';
import { DeviceResource, RegisterDevice } from './device.ts';
import { UpdateIssuer } from './requests.ts';
import { IssuerResource } from './resource.ts';

export const issuer = {
  'GET /issuer': { permission: 'settings:read', service: 'invoicing', response: IssuerResource, summary: 'Read who issues the documents.' },
  'PATCH /issuer': {
    stores: 'change',
    permission: 'settings:write',
    service: 'invoicing',
    body: UpdateIssuer,
    response: IssuerResource,
    summary: 'Change who issues the documents.',
  },
  'POST /issuer/devices/{code}/register': {
    permission: 'settings:write',
    waits: true,
    service: 'invoicing',
    body: RegisterDevice,
    response: DeviceResource,
    summary: 'Register a till with the tax authority, which gives it the code that documents name.',
  },
} satisfies Rows;
