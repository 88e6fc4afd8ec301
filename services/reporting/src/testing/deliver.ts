import type { randomHistory } from './random-history.ts';
import type { startReportingApp } from './reporting-app.ts';

/** Publishes events in another order, some of them twice, in batches of different length. */
export async function deliver(
  app: Pick<Awaited<ReturnType<typeof startReportingApp>>, 'publishBatch'>,
  events: ReturnType<typeof randomHistory>['events'],
  random: () => number,
): Promise<void> {
  const all = [...events, ...events.filter(() => random() < 0.2)]
    .map((event, n) => ({ event, at: n + random() * 12 }))
    .sort((a, b) => a.at - b.at);
  for (let at = 0; at < all.length;) {
    const length = 1 + Math.floor(random() * 8);
    await app.publishBatch(all.slice(at, at + length).map(({ event }) => event));
    at += length;
  }
}
