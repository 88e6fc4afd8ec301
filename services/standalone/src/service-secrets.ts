import { serviceKeys } from '@svc/service-kit/identity/service-keys';
import { serviceKeyRing } from '@svc/service-kit/secrets/service-key-ring';
import type { Secrets } from './secrets.ts';

const behind = ['invoicing', 'fiscal-submission', 'webhooks-dispatcher', 'reporting'];
const sealing = ['gateway', 'invoicing', 'webhooks-dispatcher'];

/** What each service of a system is told of its secrets, by service: none opens what another stores or speaks in its name. */
export function serviceSecrets({ secretsKey, internalKeys, adminToken }: Secrets) {
  const { gateway, of } = serviceKeys(internalKeys, behind);
  return {
    adminToken,
    internalKeys: { gateway, ...of },
    secretsKeys: Object.fromEntries(sealing.map((service) => [service, serviceKeyRing(secretsKey, service)])),
  };
}
