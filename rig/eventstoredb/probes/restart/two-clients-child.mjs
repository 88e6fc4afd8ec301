// Child of the phase with two clients: prints the outcomes of one client's appends while the other is disposed.
import { EventStoreDBClient, jsonEvent } from '@eventstore/db-client';

process.on('uncaughtException', (e) => console.log('uncaught ' + e.constructor.name));
process.on('unhandledRejection', (e) => console.log('unhandled ' + e.constructor.name));
const [, , cs] = process.argv;
const a = EventStoreDBClient.connectionString(cs);
const b = EventStoreDBClient.connectionString(cs);
const ev = () => jsonEvent({ type: 'k', data: { x: 'x'.repeat(900) } });
await a.appendToStream('k-a', ev());
await b.appendToStream('k-b', ev());
const pending = Array.from({ length: 500 }, () =>
  a.appendToStream('k-a', ev()).then(
    () => 'ok',
    (e) => e.constructor.name + '/' + e.type + '/' + e.code,
  ),
);
await new Promise((r) => setTimeout(r, 5));
b.dispose();
const r = await Promise.race([Promise.all(pending), new Promise((r) => setTimeout(r, 8000, ['some hang']))]);
for (const x of new Set(r)) console.log('append ' + x);
let n = 0;
for await (const e of a.readStream('k-a')) if (e) n++;
console.error(JSON.stringify({ phase: 'k', stored: n }));
process.exit(0);
