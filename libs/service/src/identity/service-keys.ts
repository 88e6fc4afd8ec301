import { createHmac } from 'node:crypto';
import { internalKeys } from './internal-keys.ts';

/**
 * Makes INTERNAL_KEYS of the gateway and of each service from those of a system. A service gets its own keys, and for each key for all services
 * one that is derived by its name (HMAC-SHA256). Only the gateway gets all keys, so no service can impersonate it to another.
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
