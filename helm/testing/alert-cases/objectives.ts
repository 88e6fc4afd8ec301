import type { AlertCase, Series } from '../alert-case.ts';

/** As long as the longest window takes to be one. */
const HALF_MINUTES = 600;
const requests = 'svc_http_request_seconds_count';
const all = { [`${requests}{route="GET /invoices/{id}",status="200"}`]: `0+300x${HALF_MINUTES}` };
const failed = (values: string): Series => ({ ...all, [`${requests}{route="GET /invoices/{id}",status="503"}`]: values });

/** Of the requests of a route 100 in half a minute, and some of them in time. */
const timed = (name: string, labels: string, bound: string, inTime: string): Series => ({
  [`${name}_count${labels && `{${labels}}`}`]: `0+100x${HALF_MINUTES}`,
  [`${name}_bucket{${labels}${labels && ','}le="${bound}"}`]: inTime,
});
const late = `0+80x${HALF_MINUTES}`;
const inTime = `0+99.9x${HALF_MINUTES}`;

const reads = 'route="GET /invoices/{id}",status="200"';
const codes = 'authority="al-cis",env="live"';

/** Of the budgets of 30 days. */
export const objectives: AlertCase[] = [
  {
    alert: 'ErrorBudget',
    chart: 'gateway',
    severity: 'critical',
    // Two of a hundred requests: twenty times what the objective allows.
    fires: failed(`0+6x${HALF_MINUTES}`),
    after: 0.5,
    labels: { objective: 'availability' },
    says: '1.961% of the requests of the last hours were answered 5xx, and they still are. At this rate the budget of 30 days is gone within five days.',
    silent: [
      failed(`0x${HALF_MINUTES}`),
      // Three times what it allows is for the morning.
      failed(`0+1x${HALF_MINUTES}`),
      // A minute, and it is over.
      failed('0x120 100 200 200x117'),
      // Four of few requests.
      { [`${requests}{route="GET /issuer",status="500"}`]: '0x120 1 2 3 4 4x115' },
    ],
  },
  {
    alert: 'ErrorBudget',
    chart: 'gateway',
    severity: 'warning',
    fires: failed(`0+1x${HALF_MINUTES}`),
    after: 0.5,
    labels: { objective: 'availability' },
    says: '0.3322% of the requests of the last days were answered 5xx. The budget of 30 days does not last for 30 days.',
    silent: [failed(`0+0.1x${HALF_MINUTES}`)],
  },
  {
    alert: 'LatencyBudget',
    chart: 'gateway',
    fires: {
      ...timed('svc_http_request_seconds', reads, '0.25', late),
      ...timed('svc_http_request_seconds', 'route="POST /invoices"', '0.5', inTime),
    },
    after: 0.5,
    labels: { objective: 'reads' },
    says: '20% of the requests that count as reads took longer than their objective. The budget of 30 days does not last for 30 days.',
    silent: [
      timed('svc_http_request_seconds', reads, '0.25', inTime),
      // A client lets it wait for the authority.
      timed('svc_http_request_seconds', 'route="POST /invoices/{id}/submit"', '0.5', late),
    ],
  },
  {
    alert: 'RegistrationBudget',
    chart: 'fiscal-submission',
    fires: timed('svc_registration_seconds', codes, '60', late),
    after: 0.5,
    labels: { objective: 'codes' },
    says: '20% of the live documents had their fiscal code later than the objective says. The budget of 30 days does not last for 30 days.',
    silent: [
      timed('svc_registration_seconds', codes, '60', inTime),
      timed('svc_registration_seconds', codes.replace('live', 'test'), '60', late),
    ],
  },
  {
    alert: 'WebhookBudget',
    chart: 'webhooks-dispatcher',
    // As Prometheus 3 reads the bound of a bucket.
    fires: timed('svc_webhook_first_attempt_seconds', '', '10.0', late),
    after: 0.5,
    labels: { objective: 'webhooks' },
    says: '20% of the first attempts were made later than the objective says. The budget of 30 days does not last for 30 days.',
    silent: [timed('svc_webhook_first_attempt_seconds', '', '10', inTime)],
  },
];
