import { Gauge } from '@svc/service';

let partsOf: () => number[] = () => [];

new Gauge({
  name: 'svc_storage_accounts',
  help: 'Accounts that were active here since the start, by how much of their storage they have used: `near` from 80 % on, `full` at 100 %.',
  labelNames: ['used'],
  collect() {
    const parts = partsOf();
    this.set({ used: 'full' }, parts.filter((part) => part >= 1).length);
    this.set({ used: 'near' }, parts.filter((part) => part >= NEAR && part < 1).length);
  },
});

/** The used part of a quota from which on responses and the metric show it. */
export const NEAR = 0.8;

/** Exports how many accounts have used most or all of their storage. It names none. */
export function measureStorage(parts: () => number[]): void {
  partsOf = parts;
}
