import { prefixed, type Uid } from '@svc/kernel';
import type { RouteName } from '@svc/contracts/routes';
import type { Principal } from '../principals/principal.ts';

/** The subject of a response with the personal data of several customers of one account and environment. */
export const manyCustomersOf = (scope: string): string => `customers of ${scope}`;

/**
 * The customer whose personal data the response of a POST holds, so that erasure finds it; null: none. Issued documents are legal records,
 * and drafts hold only the customer's id.
 */
export function subjectOf(route: RouteName, scope: string, command: Uid): string | null {
  if (route === 'POST /customers') return prefixed('cust', command);
  return route === 'POST /customers/batch' ? manyCustomersOf(scope) : null;
}

/**
 * The API key that an Idempotency-Key belongs to: that of a rotation, because its replay repeats the new value, which only the rotated key may
 * get. undefined: the Idempotency-Key belongs to the account and environment.
 */
export const keyOf = (route: RouteName | undefined, principal: Pick<Principal, 'actor'>): string | undefined =>
  route === 'POST /api-keys/rotate' ? principal.actor.id : undefined;

/**
 * Whether a repeat gets this response. After a temporary one (5xx, 409, 429) it runs again. So it does after a rotation with the key's previous
 * value (403), because the current value may send the same request.
 */
export const isKept = (route: RouteName, status: number): boolean =>
  status < 500 && status !== 409 && status !== 429 && !(status === 403 && route === 'POST /api-keys/rotate');

/** Routes whose responses show a secret. They are stored encrypted. */
const showSecrets: ReadonlySet<RouteName> = new Set<RouteName>([
  'POST /api-keys/rotate',
  'POST /webhooks',
  'POST /webhooks/{id}/rotate-secret',
]);
export const secretOf = (route: RouteName): 'shown' | 'none' => (showSecrets.has(route) ? 'shown' : 'none');

/** Routes whose first write that counts is the command's own event; that of a new customer follows the key of its personal data. */
const appendFirst: ReadonlySet<RouteName> = new Set<RouteName>([
  'POST /invoices',
  'POST /invoices/{id}/submit',
  'POST /invoices/{id}/void',
  'POST /receipts',
  'POST /customers',
]);
export const appendsFirst = (route: RouteName): boolean => appendFirst.has(route);
