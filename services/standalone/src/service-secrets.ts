import { serviceKeys } from '@svc/service/identity/service-keys';
import { serviceKeyRing, shareKey } from '@svc/service/secrets/service-key-ring';
import { StartError } from '@svc/service/process/start-error';
import type { Secrets } from './secrets.ts';

const behind = ['invoicing', 'fiscal-submission', 'webhooks-dispatcher', 'reporting'];
const encrypting = ['gateway', 'invoicing', 'fiscal-submission', 'webhooks-dispatcher'];

/**
 * The secrets of each service. No service can decrypt what another stores from now on, or act in its name. Throws a `StartError` when the
 * encrypting ring contains an old key, which every service gets.
 */
export function serviceSecrets({ keys, internalKeys, adminToken }: Secrets) {
  if (shareKey(keys.root.slice(-1), keys.old)) throw new StartError(handedOut);
  const { gateway, of } = serviceKeys(internalKeys, behind);
  return {
    adminToken,
    internalKeys: { gateway, ...of },
    secretsKeys: Object.fromEntries(encrypting.map((service) => [service, serviceKeyRing(keys, service)])),
  };
}

const handedOut =
  'SECRETS_KEY may have the key that an earlier release encrypted with: every service gets that to decrypt, so none of its own is derived from it. ' +
  'Give the earlier key as SECRETS_KEY_OLD: the SECRETS_KEY of that release, or where it had none, secretsKey of secrets.json in the data folder. ' +
  'Take it out of SECRETS_KEY; where nothing is left there, give a new key, or none: one is then made and kept in the data folder.';
