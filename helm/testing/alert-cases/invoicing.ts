import type { AlertCase } from '../alert-case.ts';

const labels = { namespace: 'billing', pod: 'invoicing-7c9f-x2v4z' };

export const invoicing: AlertCase[] = [
  {
    alert: 'ReadBarrierTimeouts',
    chart: 'invoicing',
    fires: { svc_read_barrier_timeouts_total: '0+2x240' },
    after: 1.5,
    says: '20 lists in five minutes were refused, because their read model did not reach the newest event in 5 s.',
    silent: [{ svc_read_barrier_timeouts_total: '0 2 4 4x238' }],
  },
  {
    alert: 'DocumentsStuck',
    chart: 'invoicing',
    fires: { svc_unfinished_failures_total: '0+6x240' },
    after: 2,
    says: 'Documents that were left between steps cannot be brought on, 84 tries in ten minutes. They are neither drafts nor numbered.',
    silent: [{ svc_unfinished_failures_total: '0 6 12 12x238' }],
  },
  {
    alert: 'NumbersRefused',
    chart: 'invoicing',
    fires: { 'svc_numbers_total{outcome="taken"}': '0+1x240', 'svc_numbers_total{outcome="refused"}': '0+3x240' },
    after: 1,
    says: '75% of the requests for a number were refused in 15 minutes, because of the series or the date.',
    silent: [
      { 'svc_numbers_total{outcome="taken"}': '0+5x240', 'svc_numbers_total{outcome="refused"}': '0+3x240' },
      { 'svc_numbers_total{outcome="taken"}': '0x240', 'svc_numbers_total{outcome="refused"}': '0 2 4 4x238' },
    ],
  },
  {
    alert: 'ClockSkew',
    chart: 'invoicing',
    fires: { 'svc_clock_skew_seconds{witness="mongodb"}': '600x240', 'svc_clock_skew_seconds{witness="newest number"}': '0x240' },
    after: 0,
    labels,
    says: 'The clock of invoicing-7c9f-x2v4z and another one differ by 10m 0s. Documents are dated by it; more than ten minutes ahead it gives no numbers.',
    silent: [{ 'svc_clock_skew_seconds{witness="mongodb"}': '-100x240' }, { 'svc_clock_skew_seconds{witness="mongodb"}': '600 600 1x238' }],
  },
  {
    alert: 'ClockUnconfirmed',
    chart: 'invoicing',
    fires: { svc_clock_unconfirmed: '1x240' },
    after: 0,
    labels,
    says: 'No other clock has said within the hour what time it is. Documents are dated by the clock of invoicing-7c9f-x2v4z alone.',
    silent: [{ svc_clock_unconfirmed: '0x240' }, { svc_clock_unconfirmed: '1x100 0x140' }],
  },
];
