import { systemClock } from '@svc/kernel';
import fc from 'fast-check';
import { NotSent, type Http, type HttpRequest, type HttpResponse } from '../authorities/http.ts';
import { outgoingHttp } from '../authorities/outgoing.ts';
import { SimulatorProcess } from '../simulator-process.suite.ts';
import { ahead, restarted, Stage } from '../stage.suite.ts';

const troubles = ['none', 'refused', 'lost_before', 'lost_after', 'error_after', 'gateway_503', 'garbage', 'stale_answer', 'crash_before', 'crash_after'] as const;
type Trouble = (typeof troubles)[number];

const simulates = [null, 'accept', 'lost_reply', 'lost_request', 'error_after_accept', 'unavailable:2', 'bad_signature', 'truncated', 'wrong_request_id', 'duplicate'];

let simulator: SimulatorProcess;
const outgoing = outgoingHttp(systemClock);
beforeAll(async () => {
  simulator = await SimulatorProcess.start();
});
afterAll(async () => {
  await outgoing.close();
  await simulator.stop();
});

/** A network that does the next trouble of the schedule to each call, and nothing once the schedule is over. */
function troubled(schedule: Trouble[], crash: () => void): Http {
  let stale: HttpResponse | undefined;
  const lost = (): never => {
    throw new Error('the connection broke');
  };
  const never = (): Promise<never> => new Promise(() => undefined);
  const forward = async (request: HttpRequest): Promise<HttpResponse> => {
    const answer = await outgoing.http(request);
    stale ??= answer;
    return answer;
  };
  return async (request) => {
    const trouble = schedule.shift() ?? 'none';
    switch (trouble) {
      case 'none':
        return forward(request);
      case 'refused':
        throw new NotSent('nobody listens');
      case 'lost_before':
        return lost();
      case 'lost_after':
        await forward(request);
        return lost();
      case 'error_after':
        await forward(request);
        return { status: 500, headers: {}, body: Buffer.from('{}') };
      case 'gateway_503':
        return { status: 503, headers: {}, body: Buffer.alloc(0) };
      case 'garbage':
        return { status: 200, headers: { 'x-signature': 'AAAA' }, body: Buffer.from([0xff, 0xfe]) };
      case 'stale_answer':
        return stale ?? lost();
      case 'crash_before':
        crash();
        return never();
      case 'crash_after':
        await outgoing.http(request);
        crash();
        return never();
      default:
        return trouble satisfies never;
    }
  };
}

const document = fc.record({ simulate: fc.constantFrom(...simulates), isCancelled: fc.boolean() });

test('after any schedule of faults and crashes: one registration for each document, of one record, told as one event', async () => {
  const schedules = fc.array(fc.constantFrom(...troubles), { maxLength: 25 });
  await fc.assert(
    fc.asyncProperty(fc.array(document, { minLength: 1, maxLength: 6 }), schedules, async (documents, schedule) => {
      let lives = 0;
      let died = Promise.withResolvers<void>();
      const live = (previous?: Stage): Stage => {
        died = Promise.withResolvers<void>();
        const clock = ahead(61_000 * lives);
        lives += 1;
        const options = { simulatorUrl: simulator.url, clock, http: troubled(schedule, () => (stage.crash(), died.resolve())) };
        const stage: Stage = previous ? restarted(previous, options) : new Stage(options);
        return stage;
      };
      let stage = live();
      const told: Stage['told'] = [];
      const requests = documents.map(({ simulate }) => stage.requested({ simulate }));
      const wishes = requests.flatMap(({ data }, n) => (documents[n]?.isCancelled ? [stage.cancellation(data, { simulate: null })] : []));
      const finish = async (on: Stage): Promise<'done'> => {
        await on.consumer.on([...requests, ...wishes]); // the bus repeats what it is not sure of
        for (const [n, { subject }] of requests.entries()) await on.until(subject, documents[n]?.isCancelled ? 'cancelled' : 'registered');
        for (const { subject } of requests) await on.tells('fiscal.document-registered.v1', subject);
        for (const { subject } of wishes) await on.tells('fiscal.document-cancelled.v1', subject);
        return 'done';
      };
      while ((await Promise.race([finish(stage).catch((error: unknown) => (isClosed(error) ? died.promise : Promise.reject(error))), died.promise])) !== 'done') {
        told.push(...stage.told);
        stage = live(stage);
      }
      told.push(...stage.told);

      const rows = await simulator.ledger(stage.account);
      expect(rows.map(({ document_number }) => document_number).sort()).toEqual(requests.map(({ data }) => data.number).sort());
      for (const { received, record_sha256 } of rows) expect(new Set(received.map((one) => one.record_sha256))).toEqual(new Set([record_sha256]));
      for (const [n, { subject, data }] of requests.entries()) {
        const row = rows.find(({ document_number }) => document_number === data.number);
        const outcomes = told.filter((event) => event.subject === subject && event.type !== 'fiscal.document-delayed.v1');
        expect(new Set(outcomes.map(({ id, type }) => `${type} ${id}`)).size).toBe(documents[n]?.isCancelled ? 2 : 1);
        expect(outcomes[0]).toMatchObject({ type: 'fiscal.document-registered.v1', data: { code: row?.code } });
        expect(row?.voided_at === null).toBe(!documents[n]?.isCancelled);
      }
      await stage.close();
    }),
    { numRuns: 40, endOnFailure: true },
  );
}, 240_000);

/** What a killed process's own promises say of it. */
const isClosed = (error: unknown): boolean => /closed|not open/.test(String(error));
