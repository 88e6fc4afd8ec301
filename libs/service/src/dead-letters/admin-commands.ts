import { askOperatorsPort } from '../admin/operators-port.ts';
import type { AdminCommand } from '../admin/run-admin.ts';

const chosen = { type: 'TYPE', subject: 'ID', reason: 'REASON' };
const query = (given: Record<string, string>): string => `?${new URLSearchParams(given)}`;

/** `svc admin dead-letters …`: the dead letters of the service, by `/admin/dead-letters` of its operators' port. */
export const deadLetterCommands: AdminCommand[] = [
  {
    name: 'dead-letters list',
    about: 'Lists dead letters, without their events.',
    options: { group: 'GROUP', ...chosen, after: 'ID', limit: 'NUMBER' },
    run: (given) => askOperatorsPort('OPS_TOKEN', 'GET', `/dead-letters${query(given)}`),
  },
  {
    name: 'dead-letters show',
    about: 'Shows one with its event, which may hold personal data.',
    options: { id: 'ID' },
    needed: ['id'],
    run: ({ id = '' }) => askOperatorsPort('OPS_TOKEN', 'GET', `/dead-letters/${encodeURIComponent(id)}`),
  },
  {
    name: 'dead-letters redrive',
    about: 'Delivers those of a group to it again, in order; to be repeated while `left` is not 0.',
    options: { group: 'GROUP', ...chosen, id: 'ID' },
    needed: ['group'],
    run: (given) => askOperatorsPort('OPS_TOKEN', 'POST', '/dead-letters/redrive', given),
  },
  {
    name: 'dead-letters drop',
    about: 'Deletes those of a group. It cannot be undone.',
    options: { group: 'GROUP', ...chosen, id: 'ID' },
    needed: ['group'],
    run: (given) => askOperatorsPort('OPS_TOKEN', 'DELETE', `/dead-letters${query(given)}`),
  },
];
