import { askOperatorsPort } from '@svc/service/admin/operators-port';
import type { AdminCommand } from '@svc/service/admin/run-admin';

/** `svc admin endpoints …` and `deliveries …`, by `/admin/webhooks` of the operators' port. */
export const webhookCommands: AdminCommand[] = [
  {
    name: 'endpoints list',
    about:
      'Lists the webhook endpoints of an account, 100 at a time, or with --failing true those of all accounts that have failed longest.',
    options: { account: 'ACCOUNT', failing: 'true', after: 'ENDPOINT' },
    run: (given) => askOperatorsPort('OPS_TOKEN', 'GET', `/webhooks/endpoints?${new URLSearchParams(given)}`),
  },
  {
    name: 'deliveries list',
    about: 'Lists the deliveries of an endpoint, the newest first, 100 at a time.',
    options: { endpoint: 'ENDPOINT', status: 'pending|succeeded|failed|cancelled', before: 'DELIVERY' },
    needed: ['endpoint'],
    run: (given) => askOperatorsPort('OPS_TOKEN', 'GET', `/webhooks/deliveries?${new URLSearchParams(given)}`),
  },
  {
    name: 'deliveries resend',
    about: 'Makes one attempt of a delivery now; its schedule goes on as it was.',
    options: { endpoint: 'ENDPOINT', delivery: 'DELIVERY' },
    needed: ['endpoint', 'delivery'],
    run: (given) => askOperatorsPort('OPS_TOKEN', 'POST', '/webhooks/resend', given),
  },
];
