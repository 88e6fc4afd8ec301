import { databasesOf, eventsOf, withMongo, type Call, type Processes } from '@svc/testkit';
import { readLedger, type LedgerRow } from '../../e2e/testing/exactly-once.ts';
import { type Documents } from '../../e2e/testing/documents.ts';
import { everything } from '../../e2e/testing/retrying-client.ts';
import { isSent } from '../../e2e/testing/webhooks.ts';

interface DeliveryRow {
  event_id: string;
  status: string;
  attempts: unknown[];
}

/** The observable data of a system in a fixed order: equal facts mean equal histories. */
export interface Facts {
  documents: Documents;
  customers: { id: string }[];
  events: { id: string }[];
  deliveries: DeliveryRow[];
  sales: unknown;
  ledger: LedgerRow[];
  /** Streams and types of all events in the event store. */
  stored: string[];
}

/** Reads all facts from the public API, the authority's ledger and the event store. `webhook`: the endpoint's id. */
export async function readFacts(system: Processes, call: Call, webhook: string): Promise<Facts> {
  const { status, body, text } = await call<{ data: unknown; totals: unknown }>('GET', '/reports/sales', { query: { per_page: 100 } });
  if (status !== 200) throw new Error(`GET /reports/sales answered ${status}: ${text}`);
  return {
    documents: { '/invoices': await everything(call, '/invoices'), '/receipts': await everything(call, '/receipts') },
    customers: await everything<{ id: string }>(call, '/customers'),
    events: await everything<{ id: string }>(call, '/events'),
    deliveries: await everything<DeliveryRow>(call, `/webhooks/${webhook}/deliveries`),
    sales: { data: body.data, totals: body.totals },
    ledger: await readLedger(system.simulator),
    stored: (await eventsOf(system.servers)).map(({ stream, type }) => `${stream} ${type}`).sort(),
  };
}

/** How many events subscribers are to receive. */
export async function sentEvents({ servers }: Processes): Promise<number> {
  const prefix = `${servers.namespace}_`;
  return (await eventsOf(servers)).filter(({ stream, type }) => isSent({ stream: stream.slice(prefix.length), type })).length;
}

interface DeadLetter {
  group: string;
  origin: string;
  event_type: string | null;
  reason: string;
  error: string;
  at: string;
}

/** The dead letters of all groups. */
export const deadLettersOf = (system: Processes): Promise<DeadLetter[]> =>
  withMongo(system.servers, async (client) => {
    const found: DeadLetter[] = [];
    for (const name of await databasesOf(client, system.servers))
      for (const collection of await client.db(name).collections())
        if (collection.collectionName.endsWith('_dead_letters')) found.push(...(await collection.find<DeadLetter>({}).toArray()));
    return found;
  });

/** All dead letters: group, topic, time and reason. */
export const deadLetters = async (system: Processes): Promise<string[]> =>
  (await deadLettersOf(system)).map(({ group, origin, error, at }) => `${group} ${origin} ${at} ${error}`);

type Checkpoint = { _id: string; position: string };
const RELAY = 'publishing';
/** Of the service that publishes documents, and what it begins with. until 0.3 */
const WITH_ENTRIES = 'publishing.r2';
const RELAYS = [RELAY, WITH_ENTRIES, 'publishing.history', 'publishing.history.end'];

/** Checkpoints of the relays, by database. */
export const relayed = (system: Processes): Promise<Map<string, bigint>> =>
  withMongo(system.servers, async (client) => {
    const positions = new Map<string, bigint>();
    for (const name of await databasesOf(client, system.servers)) {
      const checkpoints = client.db(name).collection<Checkpoint>('checkpoints');
      const checkpoint = (await checkpoints.findOne({ _id: WITH_ENTRIES })) ?? (await checkpoints.findOne({ _id: RELAY }));
      if (checkpoint) positions.set(name, BigInt(checkpoint.position));
    }
    return positions;
  });

/** Resets the relays to the first event. No process may run meanwhile. */
export const publishFromTheBeginning = (system: Processes): Promise<void> =>
  withMongo(system.servers, async (client) => {
    for (const name of (await relayed(system)).keys())
      await client
        .db(name)
        .collection<Checkpoint>('checkpoints')
        .deleteMany({ _id: { $in: RELAYS } });
  });
