import { prefixed, type Uid } from '@svc/kernel';
import type { RouteName } from '@svc/contracts/http/routes';

/** A kept answer that may hold the personal data of many customers of one account and environment. */
export const manyCustomersOf = (scope: string): string => `customers of ${scope}`;

/**
 * Whose personal data the answer of a POST holds: the customer's id, so that erasing the customer finds it. Issued documents are
 * legal records and drafts name the customer by id alone, so their answers are nobody's.
 */
export function subjectOf(route: RouteName, scope: string, command: Uid): string | null {
  if (route === 'POST /customers') return prefixed('cust', command);
  return route === 'POST /customers/batch' ? manyCustomersOf(scope) : null;
}

/**
 * Within what an Idempotency-Key means one request: account and environment. Where the answer depends on the API key that asks, that
 * key as well: a rotation's replay repeats the new value, which is for nobody but the key that was rotated.
 */
export const scopeOf = (route: RouteName | undefined, { scope, key }: { scope: string; key: string }): string =>
  route === 'POST /api-keys/rotate' ? `${scope}.${key}` : scope;

/** Routes whose answers show a secret once: kept sealed. */
const showSecrets: ReadonlySet<RouteName> = new Set<RouteName>([
  'POST /api-keys/rotate',
  'POST /webhooks',
  'POST /webhooks/{id}/rotate-secret',
]);
export const secretOf = (route: RouteName): 'shown' | 'none' => (showSecrets.has(route) ? 'shown' : 'none');
