// Child of the phase with subscriptions: appends, and reports acknowledged events.
import { EventStoreDBClient, jsonEvent } from '@eventstore/db-client';

const sleep = (ms) => new Promise((r) => setTimeout(r, ms));
const ev = (type, data = {}, extra = {}) => jsonEvent({ type, data, ...extra });
const [, , cs, run, id, total, streams, conc] = process.argv;
const c = EventStoreDBClient.connectionString(cs);
let next = 0;
const acks = [];
await Promise.all(
  Array.from({ length: +conc }, async () => {
    while (next < +total) {
      const i = next++;
      const stream = `f-${run}-${i % +streams}`;
      const t = `F${run}.${id}-${i}`;
      const r = await c.appendToStream(stream, ev(t, { i }));
      acks.push([t, r.position.commit.toString()]);
    }
  }),
);
process.send(acks);
await sleep(100);
await c.dispose();
process.exit(0);
