import type { AdminCommand } from '@svc/service/admin/run-admin';
import { askOperatorsPort, withJson } from '@svc/service/admin/operators-port';

const limits = `'{"plan": 600, "burst": 100, "storage": 1073741824, …}'`;

const paged = { page: 'N', 'per-page': 'N' };

/** Of a list. */
function queryOf({ page, 'per-page': perPage }: Record<string, string | undefined>): string {
  const query = new URLSearchParams({ ...(page && { page }), ...(perPage && { per_page: perPage }) });
  return query.size === 0 ? '' : `?${query}`;
}

const addOwner: AdminCommand['run'] = ({ account = '', email }) =>
  askOperatorsPort('ADMIN_TOKEN', 'POST', `/accounts/${account}/owners`, { email });

/** `svc admin accounts …` and `keys …`, by the routes of `/admin` of the operators' port. */
export const accountCommands: AdminCommand[] = [
  {
    name: 'accounts list',
    about: 'Prints a page of the accounts, newest first.',
    options: paged,
    run: (given) => askOperatorsPort('ADMIN_TOKEN', 'GET', `/accounts${queryOf(given)}`),
  },
  {
    name: 'accounts show',
    about: 'Prints an account.',
    options: { id: 'ACCOUNT' },
    needed: ['id'],
    run: ({ id = '' }) => askOperatorsPort('ADMIN_TOKEN', 'GET', `/accounts/${id}`),
  },
  {
    name: 'keys list',
    about: 'Prints a page of the keys of an account, newest first, without their values.',
    options: { account: 'ACCOUNT', ...paged },
    needed: ['account'],
    run: ({ account = '', ...given }) => askOperatorsPort('ADMIN_TOKEN', 'GET', `/accounts/${account}/keys${queryOf(given)}`),
  },
  {
    name: 'members list',
    about: 'Prints the members of an account and its invitations, 100 at a time, with their e-mail addresses.',
    options: { account: 'ACCOUNT', after: 'MEMBER' },
    needed: ['account'],
    run: ({ account = '', ...given }) =>
      askOperatorsPort('ADMIN_TOKEN', 'GET', `/accounts/${account}/members?${new URLSearchParams(given)}`),
  },
  {
    name: 'accounts create',
    about: 'Opens an account and prints its first test key and live key, which are shown only once.',
    options: { name: 'NAME', plan: 'PLAN', email: 'ADDRESS', limits },
    needed: ['name', 'plan'],
    run: (given) => askOperatorsPort('ADMIN_TOKEN', 'POST', '/accounts', withJson(given, 'limits')),
  },
  {
    name: 'accounts change',
    about: 'Changes the plan, the limits (as a whole; null: those of the plan) or the suspension of an account.',
    options: { id: 'ACCOUNT', plan: 'PLAN', limits, suspended: 'true|false' },
    needed: ['id'],
    run: ({ id = '', ...given }) => askOperatorsPort('ADMIN_TOKEN', 'PATCH', `/accounts/${id}`, withJson(given, 'limits', 'suspended')),
  },
  {
    name: 'keys create',
    about: 'Creates a key of an account and prints it, which is shown only once.',
    options: { account: 'ACCOUNT', name: 'NAME', livemode: 'true|false', permissions: 'PERMISSION,…', 'expires-at': 'TIME' },
    needed: ['account', 'name', 'livemode', 'permissions'],
    run: ({ account = '', permissions, 'expires-at': expiresAt, ...given }) =>
      askOperatorsPort('ADMIN_TOKEN', 'POST', `/accounts/${account}/keys`, {
        ...withJson(given, 'livemode'),
        ...{ permissions: permissions?.split(','), expires_at: expiresAt },
      }),
  },
  {
    name: 'owners link',
    about:
      'Prints the one-time link by which a person becomes an owner of an account, which ends the one before; null: an owner with a password.',
    options: { account: 'ACCOUNT', email: 'ADDRESS' },
    needed: ['account', 'email'],
    run: addOwner,
  },
  {
    name: 'owners add',
    about: 'The same.',
    options: { account: 'ACCOUNT', email: 'ADDRESS' },
    needed: ['account', 'email'],
    run: addOwner,
  },
  {
    name: 'users reset',
    about: 'Ends all sessions of a user and prints a one-time link to set a new password. --totp true turns off two factors, too.',
    options: { email: 'ADDRESS', totp: 'true|false' },
    needed: ['email'],
    defaults: { totp: 'false' },
    run: (given) => askOperatorsPort('ADMIN_TOKEN', 'POST', '/users/reset', withJson(given, 'totp')),
  },
  {
    name: 'users release',
    about: 'Frees an e-mail that a stranger has taken: ends all sessions and memberships of its user, who keeps nothing of it.',
    options: { email: 'ADDRESS' },
    needed: ['email'],
    run: (given) => askOperatorsPort('ADMIN_TOKEN', 'POST', '/users/release', given),
  },
];
