import { type ConsoleRouteName, consoleRoutes } from '@svc/contracts/console/routes';
import { type RouteName, routeNames, routes } from '@svc/contracts/routes';
import { personalNames } from '@svc/contracts/schema/personal-fields';
import { DomainError } from '@svc/kernel';
import type { AnyRouteName } from '../routing/route-table.ts';

/** Routes whose answers hold personal data of customers and documents. */
const HOLDING = /^[A-Z]+ \/(?:invoices|receipts|customers|events|reports|webhooks\/\{id\}\/deliveries)(?:\/|$)/;
export const holdsPersonalData = (name: AnyRouteName): boolean => HOLDING.test(name);

let names: ReadonlySet<string> | undefined;
/** Names of the members of their answers that are personal, wherever they stand but in who did something. Read from the contracts at the first call. */
export const personalMembers = (): ReadonlySet<string> =>
  (names ??= personalNames(routeNames.filter(holdsPersonalData).map((name) => routes[name].response)));
export const ACTOR = 'actor';

const PAPER = /\/(?:pdf|ubl|evidence)$/;
/** Parameters by which one finds out who is there. */
const TELLING: Partial<Record<RouteName, readonly string[]>> = {
  'GET /customers': ['q', 'email', 'tax_id'],
  'GET /invoices': ['q'],
  'GET /receipts': ['q'],
};

/** Why one who sees no personal data does not get an answer; undefined: it gets one, without them. */
export function withheld(name: AnyRouteName, path: string, query: unknown): DomainError | undefined {
  if (Object.hasOwn(consoleRoutes, name) && consoleRoutes[name as ConsoleRouteName].personal) return withheldFile();
  if (!holdsPersonalData(name)) return undefined;
  const { format } = (query ?? {}) as { format?: unknown };
  return PAPER.test(path) || format === 'csv' || format === 'pdf' ? withheldFile() : undefined;
}

/** The same by the query. */
export function withheldQuery(name: AnyRouteName, query: Record<string, unknown>): DomainError | undefined {
  const wrong = TELLING[name as RouteName]?.find((parameter) => query[parameter] !== undefined);
  const sort = query['sort'];
  const parameter = wrong ?? (name === 'GET /customers' && (sort === 'name' || sort === '-name') ? 'sort' : undefined);
  if (parameter === undefined) return undefined;
  const message = 'compares personal data, which is not for this caller. Filter by ids and numbers.';
  return new DomainError('invalid_request', `The parameter ${parameter} ${message}`, { [parameter]: [message] });
}

const withheldFile = (): DomainError =>
  new DomainError(
    'insufficient_permissions',
    'This holds personal data, which is not for this caller. Ask an owner or admin of the account.',
  );
