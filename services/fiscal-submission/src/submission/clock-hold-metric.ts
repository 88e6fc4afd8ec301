import type { Env } from '@svc/kernel';
import { Gauge } from '@svc/service';
import type { Authorities } from './authority.ts';
import type { ClockHolds } from './clock-holds.ts';

interface Measured {
  clockHolds: Pick<ClockHolds, 'isHeld'>;
  authorities: Authorities;
}

let measured: Measured | undefined;

const ENVIRONMENTS: readonly Env[] = ['live', 'test'];

new Gauge({
  name: 'svc_authority_clock_held',
  help: '1 while messages to an authority wait, because it has refused one for its time and the clocks are not known to agree since',
  labelNames: ['authority', 'env'],
  collect() {
    for (const env of ENVIRONMENTS)
      for (const authority of measured?.authorities[env].values() ?? [])
        this.set({ authority: authority.id, env }, measured?.clockHolds.isHeld({ env, authority }) ? 1 : 0);
  },
});

/** Exports for which authorities messages of this process wait for the clocks. */
export function measureClockHolds(of: Measured): void {
  measured = of;
}
