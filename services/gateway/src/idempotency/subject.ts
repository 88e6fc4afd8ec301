import { prefixed, type Uid } from '@svc/kernel';
import type { RouteName } from '@svc/contracts/routes';

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
 * The API key that an Idempotency-Key means one request of, where the answer depends on it: a rotation's replay repeats the new value,
 * which is for nobody but the key that was rotated. undefined: the account and environment.
 */
export const keyOf = (route: RouteName | undefined, caller: { key: string }): string | undefined =>
  route === 'POST /api-keys/rotate' ? caller.key : undefined;

/**
 * Whether a repeat gets this answer. Others are passing states, where it runs again: also a rotation that was refused to the key's previous
 * value, since the present one may ask for it.
 */
export const isKept = (route: RouteName, status: number): boolean =>
  status < 500 && status !== 409 && status !== 429 && !(status === 403 && route === 'POST /api-keys/rotate');

/** Routes whose answers show a secret once: kept sealed. */
const showSecrets: ReadonlySet<RouteName> = new Set<RouteName>([
  'POST /api-keys/rotate',
  'POST /webhooks',
  'POST /webhooks/{id}/rotate-secret',
]);
export const secretOf = (route: RouteName): 'shown' | 'none' => (showSecrets.has(route) ? 'shown' : 'none');
