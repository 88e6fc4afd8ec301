import type { Rows } from '../http/route.ts';
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
} satisfies Rows;
