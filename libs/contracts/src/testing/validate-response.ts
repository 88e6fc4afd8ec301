import type { Route } from '../http/route.ts';
import { type RouteName, routes } from '../routes.ts';
import { validatorOf } from '../schema/ajv.ts';
import { ErrorResource } from '../http/error.ts';

/** The differences between a response and the class of its route (`/total: must be number`); empty if there are none. For tests. */
export function responseProblems(name: RouteName, status: number, body: unknown): string[] {
  const { ok, response, file }: Route = routes[name];
  if (status === ok && file && validatorOf(file)(body)) return [];
  if (status < 400 && status !== ok) return [`status: must be ${ok}, is ${status}`];
  const validate = validatorOf(status < 400 ? response : ErrorResource);
  if (validate(body)) return [];
  return (validate.errors ?? []).map(
    ({ instancePath, message, params }) => `${instancePath || '/'}: ${message ?? 'is wrong'} ${JSON.stringify(params)}`,
  );
}
