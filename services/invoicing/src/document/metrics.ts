import { Counter } from '@svc/service';

const numbers = new Counter({
  name: 'svc_numbers_total',
  help: 'Requests of documents for a number: taken, or refused because of the series or the date',
  labelNames: ['outcome'],
});
for (const outcome of ['taken', 'refused']) numbers.inc({ outcome }, 0);

export const countNumber = (outcome: 'taken' | 'refused'): void => numbers.inc({ outcome });

/** A document between steps is tried again every few seconds: one that cannot be brought on counts on and on. */
export const unfinished = new Counter({
  name: 'svc_unfinished_failures_total',
  help: 'Documents that a crash or an outage left between steps and that could not be brought on, each time that it was tried',
});
