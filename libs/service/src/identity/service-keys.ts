import { createHmac } from 'node:crypto';
import { internalKeys } from './internal-keys.ts';

/**
 * INTERNAL_KEYS of a gateway and of each service, made of those of their system: a service gets those that are of it alone, and of each
 * key that is of all one derived by its name (HMAC-SHA256). The gateway gets all of them, so no service can speak to another in its name.
 */
export function serviceKeys(system: string, services: readonly string[]): { gateway: string; of: Record<string, string> } {
  const keys = internalKeys(system);
  const entriesOf = (service: string): string[] =>
    keys.flatMap(({ kid, key, audience }) => {
      if (audience === service) return `${kid}:${key.export().toString('base64')}`;
      return audience === undefined ? `${kid}:${createHmac('sha256', key).update(`identity for ${service}`).digest('base64')}` : [];
    });
  return {
    gateway: services.flatMap((service) => entriesOf(service).map((entry) => `${service}.${entry}`)).join(),
    of: Object.fromEntries(services.map((service) => [service, entriesOf(service).join()])),
  };
}
