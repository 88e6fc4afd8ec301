import { DomainError } from '@svc/kernel';
import type { KeyProblem } from './credential.ts';

/** Where keys come from: no route of the interface makes them. */
export const KEYS_ARE_MADE = `Keys are made in the dashboard (Settings, API Keys). Where it is not served, the operator makes them: svc admin keys create, or POST /admin/accounts/{id}/keys on the operators' port.`;

const keyWords: Record<KeyProblem, string> = {
  missing: `No API key was sent. Send one: Authorization: Bearer svc_test_… (or svc_live_…), or X-API-Key. ${KEYS_ARE_MADE}`,
  scheme: 'Authorization has no bearer token. Send Authorization: Bearer and the key, or the key as X-API-Key without Authorization.',
  differ: 'Two keys were sent that differ, one in Authorization and one in X-API-Key. Send one of them.',
  form: 'This is no API key: a key begins with svc_test_ or svc_live_ and has 38 letters and digits after it. Send it whole, without quotes.',
  checksum: 'This API key has a typing error: its last six characters, a checksum of the others, do not fit. Copy it again, whole.',
  live_host: 'This is a test key, and this host takes live keys alone. Use the host of the sandbox, or a key that begins with svc_live_.',
  sandbox_host: 'This is a live key, and this host takes test keys alone. Use the host for live keys, or a key that begins with svc_test_.',
  unknown: 'This API key is not valid: it is unknown here, was revoked or has expired. Use another one.',
};

export const invalidKey = (problem: KeyProblem): DomainError => new DomainError('invalid_api_key', keyWords[problem]);
