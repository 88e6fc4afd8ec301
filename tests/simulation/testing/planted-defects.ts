import { rejectedAnswer } from '@svc/authority-simulator/answer';
import type { Collection, Doc } from '@svc/document-store';
import { NotSent } from '@svc/fiscal-submission';
import { Conflict, OutcomeUnknown } from '@svc/kernel';
import type { Invariant } from './invariants.ts';
import { seedsOf } from './seeds.ts';
import { simulate } from './simulate.ts';
import type { Wiring } from './system.ts';
import { NO_PHASES } from '@svc/webhooks-dispatcher/sending/send';

/** A plausible defect, planted between the services and a port. */
export interface PlantedDefect extends Wiring {
  name: string;
  /** The invariant that must detect it. */
  breaks: Invariant;
}

const LATER_MS = 300;

export const plantedDefects: PlantedDefect[] = [
  {
    name: 'the checkpoint is saved before the batch is published',
    breaks: 'every event reaches the subscriber',
    bus(bus, lifetime) {
      const publishTo = bus.publishTo.bind(bus);
      let last = Promise.resolve();
      bus.publishTo = async (...given) => {
        last = last.then(() => lifetime.clock.sleep(LATER_MS)).then(() => publishTo(...given));
      };
    },
  },
  {
    name: 'a claim whose outcome is unknown is made again at the new head',
    breaks: 'one number each, 1 to n without a gap',
    store: (store) => ({
      ...store,
      async append(stream, expected, events) {
        try {
          return await store.append(stream, expected, events);
        } catch (error) {
          if (!(error instanceof OutcomeUnknown) || events[0]?.type !== 'NumberTaken') throw error;
          const head = (await store.read(stream)).at(-1)?.revision ?? 'none';
          return store.append(stream, head, events);
        }
      },
    }),
  },
  {
    name: 'a payment that meets another is stored without another look at what is due',
    breaks: 'no payment is lost or double, and no invoice has more payments or credits than its total',
    store: (store) => ({
      ...store,
      async append(stream, expected, events) {
        try {
          return await store.append(stream, expected, events);
        } catch (error) {
          if (!(error instanceof Conflict) || events[0]?.type !== 'InvoicePaymentRecorded') throw error;
          const head = (await store.read(stream)).at(-1)?.revision ?? 'none';
          return store.append(stream, head, events);
        }
      },
    }),
  },
  {
    name: 'a webhook is marked as sent before it is',
    breaks: 'every event reaches the subscriber',
    send: (send, lifetime) => async (request) => {
      lifetime.clock.after(LATER_MS, () => void send(request));
      return { status: 200, body: '', phases: NO_PHASES };
    },
  },
  {
    name: 'an unknown outcome is taken as a failure',
    breaks: 'no document fails for a lost reply',
    http: (http) => async (request) => {
      try {
        return await http(request);
      } catch (error) {
        if (error instanceof NotSent || request.body === undefined) throw error;
        const { message_id: id } = JSON.parse(request.body) as { message_id: string };
        const answer = rejectedAnswer(id, { code: 'timeout', message: 'No answer.', fix: 'data' });
        if (answer.dropped) throw error;
        return answer;
      }
    },
  },
  {
    name: 'an Idempotency-Key is claimed after the work',
    breaks: 'one resource for each Idempotency-Key',
    documents: (documents) => (database) => {
      const plain = documents(database);
      return {
        ...plain,
        collection(name, options) {
          const rows = plain.collection<never>(name, options);
          return name === 'idempotency_keys' ? claimedLate(rows) : rows;
        },
      };
    },
  },
];

/** Reports an insert as done but makes it with the answer. */
function claimedLate<D extends Doc>(rows: Collection<D>): Collection<D> {
  const isAnswered = (doc: D): boolean => (doc as { answer?: unknown }).answer !== null;
  const insert = async ({ _id }: Doc): Promise<boolean> => (await rows.get(_id)) === undefined;
  return {
    ...rows,
    insert,
    insertFor: (_command, doc) => insert(doc),
    write: (ops) => rows.write(ops.filter((op) => !('put' in op) || isAnswered(op.put))),
  };
}

/** Each is looked for in as many seeds as it takes. */
export const testPlantedDefects = (defects: readonly PlantedDefect[]): void =>
  test.each(defects)(
    'finds the planted defect: $name',
    async ({ breaks, ...wiring }) => {
      const seeds = seedsOf({ count: 15 });
      for (const seed of seeds) {
        const { violated } = await simulate(seed, wiring);
        if (violated[breaks]) return;
      }
      throw new Error(`${seeds.length} seeds have not found it`);
    },
    300_000,
  );
