import type { Rows } from '../http/route.ts';
import { PutFiscalCredentials } from './requests.ts';
import { FiscalCredentialsResource } from './resource.ts';

export const credentials = {
  'GET /fiscal-credentials': {
    permission: 'settings:read',
    service: 'fiscal-submission',
    response: FiscalCredentialsResource,
    summary: 'Read what is known of the certificate for the tax authority.',
  },
  'PUT /fiscal-credentials': {
    permission: 'settings:write',
    service: 'fiscal-submission',
    body: PutFiscalCredentials,
    response: FiscalCredentialsResource,
    summary: 'Set the certificate for the tax authority, in the place of the one before.',
  },
  'DELETE /fiscal-credentials': {
    permission: 'settings:write',
    service: 'fiscal-submission',
    response: FiscalCredentialsResource,
    summary: 'Delete the certificate and destroy its private key.',
  },
} satisfies Rows;
