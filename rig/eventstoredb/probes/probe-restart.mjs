// Records restart, crash, order and idempotency behaviour of a server behind @eventstore/db-client, as facts without clock or id.
// usage: node probe-restart.mjs [--phases abcdefhijk] [--tries 20] <db folder> <port> <start command...>   ({db} in the command is
// replaced)
// Facts go to stdout as JSON; timings and raw counts (not deterministic) to stderr as JSON lines.
import acrossStop from './restart/across-stop.mjs';
import positions from './restart/positions.mjs';
import batches from './restart/batches.mjs';
import forgottenIds from './restart/forgotten-ids.mjs';
import subscriptions from './restart/subscriptions.mjs';
import slowReader from './restart/slow-reader.mjs';
import standStill from './restart/stand-still.mjs';
import twoClients from './restart/two-clients.mjs';
import nobodyListens from './restart/nobody-listens.mjs';
import { facts, phases } from './restart/harness.mjs';

const phase = async (letter, run) => {
  if (!phases.includes(letter)) return;
  try {
    await run();
  } catch (e) {
    console.error('PHASE FAILED', e);
    process.exit(1);
  }
};

for (const sig of ['SIGTERM', 'SIGKILL']) await phase('a', () => acrossStop(sig)); // and (b)
await phase('c', positions);
await phase('d', batches);
await phase('e', forgottenIds);
await phase('f', subscriptions);
await phase('h', slowReader);
await phase('i', standStill);
await phase('k', twoClients);
await phase('j', nobodyListens);
console.log(JSON.stringify(facts, null, 1));
process.exit(0);
