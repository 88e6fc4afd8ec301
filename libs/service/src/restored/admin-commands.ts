import { askOperatorsPort } from '../admin/operators-port.ts';
import type { AdminCommand } from '../admin/run-admin.ts';

/** `svc admin restored`, by `/admin/restored` of the operators' port. */
export const restoredCommands: AdminCommand[] = [
  {
    name: 'restored',
    about: 'After a restore of a whole database: the next start of all processes of this service counts as one after a restore.',
    options: {},
    run: () => askOperatorsPort('OPS_TOKEN', 'POST', '/restored'),
  },
];
