import type { AlertCase } from './alert-case.ts';

const labels = { namespace: 'billing', pod: 'invoicing-7c9f-x2v4z' };

/** Of the alerts about clocks. */
export const clocks: AlertCase[] = [
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
