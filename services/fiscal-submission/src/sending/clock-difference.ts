import { millisOf, type Clock, type Env } from '@svc/kernel';
import { Gauge } from '@svc/service';
import type { Http } from './http.ts';

const difference = new Gauge({
  name: 'svc_authority_clock_difference_seconds',
  help: 'By how many seconds this machine’s clock is ahead of an authority’s, as its last answer said; precise to a second.',
  labelNames: ['authority', 'env'],
});

/** An `Http` that exports by how much the clock of whoever answers differs. An answer was on its way half of the call, as far as anybody knows. */
export const observingClock =
  (http: Http, { authority: { id }, env }: { authority: { id: string }; env: Env }, clock: Pick<Clock, 'now'>): Http =>
  async (request) => {
    const startedAt = clock.now();
    const response = await http(request);
    const theirs = millisOf(response.headers['date'] ?? '');
    if (!Number.isNaN(theirs)) difference.set({ authority: id, env }, ((startedAt + clock.now()) / 2 - theirs) / 1000);
    return response;
  };
