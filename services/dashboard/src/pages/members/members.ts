import { useMe } from '../../session/session.ts';
import { named } from '../../texts/t.ts';
import type { Resource } from '../../api/types.ts';

export type Member = Resource<'Member'>;
export type Role = Resource<'Role'>;

/** Begins the key of every query of members. */
export const membersKey = ['members'];

/** From the highest to the lowest. */
const roles: readonly Role[] = ['owner', 'admin', 'developer', 'accountant', 'cashier', 'viewer'];

/** Whether a role is above another, from which it cannot be changed. */
export const isAbove = (role: string, other: string): boolean => roles.indexOf(role as Role) < roles.indexOf(other as Role);

export const nameOf = ({ name, email }: Member): string => name ?? email;

/** The roles that one may give: nobody gives or takes one above their own. */
export function useRoles(): { value: Role; label: string }[] {
  const { role: own } = useMe().member;
  return roles
    .slice(roles.indexOf(own as Role))
    .map((value) => ({ value, label: `${named('role', value)}: ${named('roleAbout', value)}` }));
}
