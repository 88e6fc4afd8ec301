import { ListOf } from '../http/list.ts';
import { PageQuery } from '../http/page.ts';
import type { Rows } from '../http/route.ts';
import { RotateKey, UpdateApiKey } from './requests.ts';
import { AccountResource, ApiKeyResource } from './resource.ts';

export const account = {
  'GET /account': { permission: null, service: 'gateway', response: AccountResource, summary: 'Read the account of the key.' },
  'GET /api-keys': {
    permission: 'api_keys:read',
    service: 'gateway',
    query: PageQuery,
    response: ListOf(ApiKeyResource),
    summary: 'List the API keys of this environment, without their values.',
  },
  'POST /api-keys/rotate': {
    permission: null,
    service: 'gateway',
    body: RotateKey,
    response: ApiKeyResource,
    summary: 'Give the key that asks a new value; it is in this answer alone.',
  },
  'GET /api-keys/{id}': {
    permission: 'api_keys:read',
    service: 'gateway',
    response: ApiKeyResource,
    summary: 'Read an API key, without its value.',
  },
  'PATCH /api-keys/{id}': {
    permission: 'api_keys:write',
    service: 'gateway',
    body: UpdateApiKey,
    response: ApiKeyResource,
    summary: 'Change an API key.',
  },
  'DELETE /api-keys/{id}': { permission: 'api_keys:write', service: 'gateway', response: ApiKeyResource, summary: 'Revoke an API key.' },
} satisfies Rows;
