import { Counter, Gauge, Histogram } from '@svc/service';

export const attemptsTotal = new Counter({
  name: 'svc_authority_attempts_total',
  help: 'Calls to tax authorities by outcome',
  labelNames: ['authority', 'outcome'],
});

export const authoritySeconds = new Histogram({
  name: 'svc_authority_seconds',
  help: 'How long calls to tax authorities take',
  labelNames: ['authority'],
  buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
});

let countDue: () => Promise<number> = async () => 0;

new Gauge({
  name: 'svc_submissions_due',
  help: 'Submissions that are due and not claimed',
  async collect() {
    this.set(await countDue());
  },
});

/** Sets the source of the `svc_submissions_due` gauge. */
export const countDueBy = (count: () => Promise<number>): void => {
  countDue = count;
};
