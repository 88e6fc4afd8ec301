import type { AlertCase } from '../alert-case.ts';
import { bucket } from './buckets.ts';

const requests = 'svc_http_request_seconds_count';
const created = 'route="POST /invoices",status="201"';

export const gateway: AlertCase[] = [
  {
    alert: 'ApiErrors',
    chart: 'gateway',
    fires: { [`${requests}{${created}}`]: '0+60x240', [`${requests}{route="POST /invoices",status="503"}`]: '0+6x240' },
    after: 0.5,
    says: '9.091% of the requests of two minutes were answered 5xx.',
    silent: [
      { [`${requests}{${created}}`]: '0+60x240', [`${requests}{route="POST /invoices",status="503"}`]: '0+2x240' },
      { [`${requests}{${created}}`]: '0+60x240', [`${requests}{route="POST /invoices",status="422"}`]: '0+60x240' },
      { [`${requests}{route="POST /invoices",status="500"}`]: '0 1 2 2x238' },
    ],
  },
  {
    alert: 'ApiSlow',
    chart: 'gateway',
    fires: bucket('svc_http_request_seconds', created, { 1: '0+10x240', 2.5: '0+10x240', 5: '0+20x240', '+Inf': '0+20x240' }),
    after: 0.5,
    says: 'One of twenty writes takes longer than 4.75s.',
    silent: [
      bucket('svc_http_request_seconds', created, { 1: '0+20x240', 2.5: '0+20x240', 5: '0+20x240', '+Inf': '0+20x240' }),
      // Clients let it wait for the authority.
      bucket('svc_http_request_seconds', 'route="POST /invoices/{id}/submit",status="200"', {
        10: '0x240',
        30: '0+20x240',
        '+Inf': '0+20x240',
      }),
    ],
  },
  {
    alert: 'UpstreamFailing',
    chart: 'gateway',
    fires: { 'svc_proxy_failures_total{upstream="invoicing",kind="unreached"}': '0+3x240' },
    after: 2,
    labels: { upstream: 'invoicing' },
    says: '30 requests to invoicing got no answer in five minutes; some were repeated, the others failed.',
    silent: [
      { 'svc_proxy_failures_total{upstream="invoicing",kind="leaving"}': '0+3x240' },
      { 'svc_proxy_failures_total{upstream="invoicing",kind="cut"}': '0 4 8 8x238' },
    ],
  },
];
