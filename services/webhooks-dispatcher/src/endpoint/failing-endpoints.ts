import { iso, type Clock } from '@svc/kernel';
import { Gauge } from '@svc/service';
import { DISABLED_AFTER_HOURS, HOUR_MS } from './domain/endpoint.ts';
import { type Endpoints, RECEIVING } from './endpoint.ts';

/** By `disabled_within`: hours until failing endpoints are disabled, if no attempt succeeds. */
const WITHIN = { '5d': DISABLED_AFTER_HOURS, '1d': 24 };

interface Counted {
  endpoints: Pick<Endpoints, 'count'>;
  clock: Pick<Clock, 'now'>;
}

let counted: Counted | undefined;

/** Every replica reports the same figures. Rejects where the database does not answer: then the metric is absent. */
new Gauge({
  name: 'svc_webhook_endpoints_failing',
  help: 'Enabled webhook endpoints whose attempts fail, which are disabled within this time if none succeeds',
  labelNames: ['disabled_within'],
  async collect() {
    for (const [disabled_within, hours] of Object.entries(WITHIN))
      this.set({ disabled_within }, counted ? await failing(counted, hours) : 0);
  },
});

/** Exports how many endpoints fail. */
export const countFailing = (of: Counted): void => void (counted = of);

/** Of those that are disabled within so many hours. */
export function failing({ endpoints, clock }: Counted, hours: number): Promise<number> {
  const since = iso(clock.now() - (DISABLED_AFTER_HOURS - hours) * HOUR_MS);
  return endpoints.count({ ...RECEIVING, failing_since: { $gt: '', $lte: since } });
}
