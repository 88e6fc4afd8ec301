import { systemClock } from '@svc/kernel';
import fc from 'fast-check';
import { outgoingHttp } from '../sending/http.ts';
import { SimulatorProcess } from '../testing/simulator-process.ts';
import { ahead, restarted, FiscalSystem, type PublishedEvent } from '../testing/system.ts';
import { faultyNetwork, faults } from './testing/faulty-network.ts';

const REGISTERED = 'fiscal.document-registered.v1';
const CANCELLED = 'fiscal.document-cancelled.v1';
const simulates = [
  null,
  'lost_reply',
  'lost_request',
  'error_after_accept',
  'unavailable:2',
  'bad_signature',
  'truncated',
  'wrong_request_id',
  'duplicate',
];

let simulator: SimulatorProcess;
const outgoing = outgoingHttp(systemClock);
beforeAll(async () => {
  simulator = await SimulatorProcess.start();
});
afterAll(async () => {
  await outgoing.close();
  await simulator.stop();
});

type Life = { system: FiscalSystem; died: Promise<'died'> };

const document = fc.record({ simulate: fc.constantFrom(...simulates), isCancelled: fc.boolean() });
const schedules = fc.array(fc.constantFrom(...faults), { maxLength: 25 });

test('registers each document once, as one record and one event, after any schedule of faults and crashes', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(document, { minLength: 1, maxLength: 6 }), schedules, async (documents, given) => {
      const schedule = [...given];
      const published: PublishedEvent[] = [];
      let lives = 0;
      const live = (previous?: FiscalSystem): Life => {
        const died = Promise.withResolvers<'died'>();
        const http = faultyNetwork(outgoing.http, schedule, () => {
          system.crash();
          died.resolve('died');
        });
        const publish = async (events: PublishedEvent[]): Promise<void> => void published.push(...events);
        const options = { simulatorUrl: simulator.url, clock: ahead(61_000 * lives), publish, http };
        lives += 1;
        const system = previous ? restarted(previous, options) : new FiscalSystem(options);
        return { system, died: died.promise };
      };

      let life = live();
      const first = life.system;
      const requests = documents.map(({ simulate }) => first.requested({ simulate }));
      const cancellations = requests.flatMap(({ data }, n) =>
        documents[n]?.isCancelled ? [first.cancellation(data, { simulate: null })] : [],
      );
      const isPublished = (type: string) => (event: { subject: string }) =>
        published.some((one) => one.type === type && one.subject === event.subject);
      const finish = async ({ system, died }: Life): Promise<'done' | 'died'> => {
        const handled = system.consumer.on([...requests, ...cancellations]).then(() => 'handled' as const); // The bus repeats messages without an acknowledgement.
        if ((await Promise.race([handled, died])) === 'died') return 'died';
        const isDead = died.then(() => true);
        for (let waited = 0; waited < 20_000; waited += 10) {
          if (requests.every(isPublished(REGISTERED)) && cancellations.every(isPublished(CANCELLED))) return 'done';
          if (await Promise.race([isDead, systemClock.sleep(10)])) return 'died';
        }
        throw new Error('not finished within 20 s');
      };
      while ((await finish(life)) === 'died') life = live(life.system);

      const rows = await simulator.ledger(life.system.account);
      expect(rows.map(({ document_number }) => document_number).sort()).toEqual(requests.map(({ data }) => data.number).sort());
      for (const { received, record_sha256 } of rows) {
        expect(new Set(received.map((one) => one.record_sha256))).toEqual(new Set([record_sha256]));
      }
      for (const [n, { subject, data }] of requests.entries()) {
        const row = rows.find(({ document_number }) => document_number === data.number);
        const outcomes = published.filter((event) => event.subject === subject && event.type !== 'fiscal.document-delayed.v1');
        expect(new Set(outcomes.map((event) => JSON.stringify(event))).size).toBe(documents[n]?.isCancelled ? 2 : 1);
        expect(outcomes[0]).toMatchObject({ type: REGISTERED, data: { code: row?.code } });
        expect(row?.voided_at !== null).toBe(documents[n]?.isCancelled);
      }
      await life.system.close();
    }),
    { numRuns: 40, endOnFailure: true },
  );
});
