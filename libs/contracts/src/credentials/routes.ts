import { EmptyBody } from '../http/none.ts';
import type { Rows } from '../http/route.ts';
import { PutFiscalCredentials } from './requests.ts';
import { FiscalCredentialsCheckResource, FiscalCredentialsResource } from './resource.ts';

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
    summary: 'Set the certificate for the tax authority, in the place of the one before, or stage its successor.',
  },
  'DELETE /fiscal-credentials': {
    permission: 'settings:write',
    service: 'fiscal-submission',
    response: FiscalCredentialsResource,
    summary: 'Delete the certificate and its successor, and destroy their private keys.',
  },
  'POST /fiscal-credentials/check': {
    permission: 'settings:write',
    service: 'fiscal-submission',
    body: EmptyBody,
    response: FiscalCredentialsCheckResource,
    summary: 'Try certificate and connection to the tax authority, and register nothing.',
  },
  'POST /fiscal-credentials/activate': {
    permission: 'settings:write',
    service: 'fiscal-submission',
    body: EmptyBody,
    response: FiscalCredentialsResource,
    summary: 'Let the staged certificate take over now. It has to be valid.',
  },
} satisfies Rows;
