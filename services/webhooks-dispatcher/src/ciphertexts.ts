import { ciphertextsIn } from '@svc/service/reencryption/stored-ciphertexts';
import { unseen, WEBHOOK_ENDPOINTS, type Endpoint } from './endpoint/endpoint.ts';

/** What this service stores encrypted under SECRETS_KEY. Another key is no change that an endpoint shows. */
export const ciphertexts = [
  ciphertextsIn<Endpoint>(
    WEBHOOK_ENDPOINTS,
    (endpoint, each) =>
      unseen(endpoint, {
        secret: each(endpoint.secret),
        ...(endpoint.old_secrets && { old_secrets: endpoint.old_secrets.map((old) => ({ ...old, secret: each(old.secret) })) }),
        ...(endpoint.headers && { headers: endpoint.headers.map((header) => ({ ...header, value: each(header.value) })) }),
      }),
    { mostlyRead: true },
  ),
];
