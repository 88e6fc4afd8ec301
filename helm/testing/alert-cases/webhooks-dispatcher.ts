import type { AlertCase } from '../alert-case.ts';

export const webhooks: AlertCase[] = [
  {
    alert: 'WebhookBacklog',
    chart: 'webhooks-dispatcher',
    fires: { svc_webhook_due_lag_seconds: '301+30x240' },
    after: 0,
    says: 'A delivery that was due has waited for 10m 1s, though its endpoint answers.',
    silent: [{ svc_webhook_due_lag_seconds: '60x240' }, { svc_webhook_due_lag_seconds: '600x8 0x232' }],
  },
  {
    alert: 'WebhooksFailing',
    chart: 'webhooks-dispatcher',
    fires: { 'svc_webhook_attempts_total{outcome="no_answer"}': '0+6x240', 'svc_webhook_attempts_total{outcome="succeeded"}': '0+2x240' },
    after: 2,
    says: '75% of the attempts of 15 minutes failed.',
    silent: [
      { 'svc_webhook_attempts_total{outcome="no_answer"}': '0+6x240', 'svc_webhook_attempts_total{outcome="succeeded"}': '0+20x240' },
      { 'svc_webhook_attempts_total{outcome="no_answer"}': '0 5 10 10x238', 'svc_webhook_attempts_total{outcome="succeeded"}': '0x240' },
    ],
  },
  {
    alert: 'WebhookEndpointsDisabledSoon',
    chart: 'webhooks-dispatcher',
    fires: {
      'svc_webhook_endpoints_failing{disabled_within="1d"}': '2x240',
      'svc_webhook_endpoints_failing{disabled_within="5d"}': '3x240',
    },
    after: 0,
    says: '2 endpoints have failed for four days, and receive nothing more after the fifth.',
    silent: [
      { 'svc_webhook_endpoints_failing{disabled_within="1d"}': '0x240', 'svc_webhook_endpoints_failing{disabled_within="5d"}': '3x240' },
      { 'svc_webhook_endpoints_failing{disabled_within="1d"}': '1x10 0x230' },
    ],
  },
];
