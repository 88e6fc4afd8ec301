import { Gauge } from '@svc/service';
import type { HeldEvents } from './held-event.ts';

let measured: HeldEvents | undefined;

/** Evaluated when the metrics are read. */
const gauge = new Gauge({
  name: 'svc_reporting_held_events',
  help: 'Events that wait for an earlier event of their document, which is a dead letter or on its way: reports lack what comes after it.',
  async collect() {
    if (measured) this.set(await measured.count({}));
  },
});
gauge.reset();

/** Exports the number of held events of the last collection that was given. */
export const measureHeld = (held: HeldEvents): void => void (measured = held);
