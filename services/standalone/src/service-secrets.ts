import { serviceKeys } from '@svc/service-kit/identity/service-keys';
import { serviceKeyRing, shareKey } from '@svc/service-kit/secrets/service-key-ring';
import { StartError } from '@svc/service-process/start-error';
import type { Secrets } from './secrets.ts';

const behind = ['invoicing', 'fiscal-submission', 'webhooks-dispatcher', 'reporting'];
const sealing = ['gateway', 'invoicing', 'webhooks-dispatcher'];

/**
 * The secrets of each service of a system, by service: none opens what another stores from now on or speaks in its name. Throws a
 * `StartError` where the root is an old key too, which every service gets.
 */
export function serviceSecrets({ keys, internalKeys, adminToken }: Secrets) {
  if (keys.old !== undefined && shareKey(keys.root, keys.old)) throw new StartError(handedOut);
  const { gateway, of } = serviceKeys(internalKeys, behind);
  return {
    adminToken,
    internalKeys: { gateway, ...of },
    secretsKeys: Object.fromEntries(sealing.map((service) => [service, serviceKeyRing(keys, service)])),
  };
}

const handedOut =
  'SECRETS_KEY encrypted what an earlier release stored: every service needs it to read that, so it cannot give each a key of its own. ' +
  'Rename it to SECRETS_KEY_OLD, and give a new SECRETS_KEY, or none: one is then made and kept in the data folder.';
