import { type RouteName, routes } from '@svc/contracts/routes';
import { DomainError } from '@svc/kernel';

/** Whether the permissions include this one; `*` includes every permission. */
export const permits = (permissions: readonly string[], permission: string): boolean =>
  permissions.includes(permission) || permissions.includes('*');

export const forbidden = (permission: string): DomainError =>
  new DomainError('insufficient_permissions', `This key lacks the permission ${permission}. Use one that has it.`);

/** The error if these permissions do not allow the route; undefined if they do. */
export function permissionError(name: RouteName, permissions: readonly string[]): DomainError | undefined {
  const { permission } = routes[name];
  return permission === null || permits(permissions, permission) ? undefined : forbidden(permission);
}
