import { askOperatorsPort, withJson } from '@svc/service/admin/operators-port';
import type { AdminCommand } from '@svc/service/admin/run-admin';

/** `svc admin republish`, by `/admin/documents` of the operators' port. */
export const documentCommands: AdminCommand[] = [
  {
    name: 'republish',
    about:
      'Publishes the events of a document once more for reports, of which a dead letter was dropped. Harmless: they ignore what they have.',
    options: { account: 'ACCOUNT', livemode: 'true|false', id: 'ID' },
    needed: ['account', 'livemode', 'id'],
    run: (given) => askOperatorsPort('OPS_TOKEN', 'POST', '/documents/republish', withJson(given, 'livemode')),
  },
];
