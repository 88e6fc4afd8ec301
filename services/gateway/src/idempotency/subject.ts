import { type ConsoleRouteName, consoleRoutes } from '@svc/contracts/console/routes';
import { prefixed, type Uid } from '@svc/kernel';
import type { AnyRouteName } from '../routing/route-table.ts';
import type { Principal } from '../principals/principal.ts';

/** The subject of a response with the personal data of several customers of one account and environment. */
export const manyCustomersOf = (scope: string): string => `customers of ${scope}`;

const showCustomers: ReadonlySet<AnyRouteName> = new Set<AnyRouteName>(['POST /customers/batch', 'POST /invoices/batch']);
// A quotation mark within a text is escaped, and what callers name themselves stands behind it.
const CUSTOMER = /"customer_id":"(cust_[0-9a-z]{26})"/;

/** The customer whose personal data the response of a POST holds, as a draft has the name, so that erasure finds it; null: none. Issued documents are legal records. */
export function subjectOf(route: AnyRouteName, scope: string, command: Uid, response: string): string | null {
  if (route === 'POST /customers') return prefixed('cust', command);
  if (route === 'POST /invoices') return CUSTOMER.exec(response)?.[1] ?? null;
  return showCustomers.has(route) ? manyCustomersOf(scope) : null;
}

/** Routes whose responses replicas of 0.1.0 erase by reading them. until 0.3 */
export const keptWhole = (route: AnyRouteName): boolean => route === 'POST /customers' || route === 'POST /customers/batch';

/**
 * Whom an Idempotency-Key belongs to: the member; the API key of a rotation, because its replay repeats the new value, which only the rotated key may get.
 * undefined: it belongs to the account and environment.
 */
export const keyOf = (route: AnyRouteName | undefined, { actor }: Pick<Principal, 'actor'>): string | undefined =>
  actor.type === 'member' || route === 'POST /api-keys/rotate' ? actor.id : undefined;

/**
 * Whether a repeat gets this response. After a temporary one (5xx, 409, 429) it runs again. So it does after a refusal (403) of a rotation with the key's
 * previous value, because the current value may send the same request; and of a member, who gives the password and repeats it.
 */
export const isKept = (route: AnyRouteName, status: number): boolean =>
  status < 500 && status !== 409 && status !== 429 && !(status === 403 && (route === 'POST /api-keys/rotate' || isOfConsole(route)));

const isOfConsole = (route: AnyRouteName): route is ConsoleRouteName => Object.hasOwn(consoleRoutes, route);

/** Whether a request may have an Idempotency-Key; without one each repeat runs. Its fingerprint is a fast hash, so that no body with a password may have one. */
export const takesKey = (route: AnyRouteName): boolean => !isOfConsole(route) || consoleRoutes[route].proves !== true;

/** Routes whose responses show a secret. They are stored encrypted. */
const showSecrets: ReadonlySet<AnyRouteName> = new Set<AnyRouteName>([
  'POST /api-keys/rotate',
  'POST /webhooks',
  'POST /webhooks/{id}/rotate-secret',
  'POST /console/members',
  'POST /console/members/{id}/reset',
  'POST /console/me/totp',
  'POST /console/me/totp/confirm',
  'POST /console/api-keys',
  'POST /console/api-keys/{id}/rotate',
]);
export const secretOf = (route: AnyRouteName): 'shown' | 'none' => (showSecrets.has(route) ? 'shown' : 'none');

/** Routes whose first write that counts is the command's own event; that of a new customer follows the key of its personal data. */
const appendFirst: ReadonlySet<AnyRouteName> = new Set<AnyRouteName>([
  'POST /invoices',
  'POST /invoices/{id}/submit',
  'POST /invoices/{id}/void',
  'POST /receipts',
  'POST /customers',
]);
export const appendsFirst = (route: AnyRouteName): boolean => appendFirst.has(route);
