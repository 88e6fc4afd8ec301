import { serviceKeys } from '@svc/service/identity/service-keys';
import { serviceKeyRing } from '@svc/service/secrets/service-key-ring';
import type { Secrets } from './secrets.ts';

const behind = ['invoicing', 'fiscal-submission', 'webhooks-dispatcher', 'reporting'];
const encrypting = ['gateway', 'invoicing', 'fiscal-submission', 'webhooks-dispatcher'];

/** The secrets of each service. No service can decrypt what another stores, or act in its name. */
export function serviceSecrets({ keys, internalKeys, adminToken }: Secrets) {
  const { gateway, of } = serviceKeys(internalKeys, behind);
  return {
    adminToken,
    internalKeys: { gateway, ...of },
    secretsKeys: Object.fromEntries(encrypting.map((service) => [service, serviceKeyRing(keys, service)])),
  };
}
