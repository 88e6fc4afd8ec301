import { iso, systemClock } from '@svc/kernel';
import fc from 'fast-check';
import { issuers } from '../authorities/testing/documents.ts';
import { type Http, outgoingHttp } from '../sending/http.ts';
import { SimulatorProcess } from '../testing/simulator-process.ts';
import { ahead, restarted, FiscalSystem, type PublishedEvent } from '../testing/system.ts';
import { faultyNetwork, faults } from './testing/faulty-network.ts';

const REGISTERED = 'fiscal.document-registered.v1';
const CANCELLED = 'fiscal.document-cancelled.v1';
const everywhere = [null, 'lost_reply', 'lost_request', 'error_after_accept', 'unavailable:2', 'truncated', 'slow:20'];
const cis = ['bad_signature', 'wrong_request_id', 'wrong_signer', 'server_900', 'server_900:stored', 'resend:same', 'certificate:expired'];
const scripts: Record<string, (string | null)[]> = {
  'al-cis': [...everywhere, ...cis],
  'me-efi': [...everywhere, ...cis],
  'es-verifactu': [
    ...everywhere,
    'duplicate',
    'accepted_with_errors:2004',
    'fault_server',
    'fault_client:4103',
    'certificate:refused',
    'query_blind:1',
  ],
};
/** A restarted process waits until what the one before has claimed is free; the authority takes a clock that is two minutes ahead. */
const RESTARTED_MS = 16_000;
const MOST_CRASHES = 4;

interface Row {
  tax_id: string;
  number: string;
  code: string;
  late: boolean | string | null;
  request?: string;
  state?: string;
}

let simulator: SimulatorProcess;
const outgoing = outgoingHttp(systemClock);
beforeAll(async () => {
  simulator = await SimulatorProcess.start('al-cis', 'me-efi', 'es-verifactu');
});
afterAll(async () => {
  await outgoing.close();
  await simulator.stop();
});

type Life = { system: FiscalSystem; died: Promise<'died'> };

/** With few deaths of the process. */
function bounded(given: readonly (typeof faults)[number][]): (typeof faults)[number][] {
  let deaths = 0;
  return given.filter((fault) => !fault.startsWith('crash') || (deaths += 1) <= MOST_CRASHES);
}

/** A network whose other end is killed, and started again, while it has the `n`-th call; 0: never. */
function dyingAuthority(n: number): { http: Http; restarted(): Promise<void> } {
  let calls = 0;
  let restart: Promise<void> = Promise.resolve();
  const http: Http = (request) => {
    const answer = outgoing.http(request);
    if ((calls += 1) === n) restart = simulator.crashAndRestart();
    return answer;
  };
  return { http, restarted: () => restart };
}

async function ledgerOf(authority: string, tax_id: string) {
  const { data, meta } = await simulator.operate<{ data: Row[]; meta: { gaps: { tax_id: string }[] } }>(
    `/ledger?authority=${authority}&limit=10000`,
  );
  return { rows: data.filter((row) => row.tax_id === tax_id), gaps: meta.gaps.filter((gap) => gap.tax_id === tax_id) };
}

test.each(Object.entries(issuers))(
  '%s: each document is registered once, no number is missing and no chain is broken, after any schedule of faults and of deaths of both processes',
  async (authority, newIssuer) => {
    const document = fc.record({ simulate: fc.constantFrom(...(scripts[authority] ?? [])), isCancelled: fc.boolean() });
    const schedules = fc.array(fc.constantFrom(...faults), { maxLength: 20 });
    const diesAt = fc.constantFrom(0, 0, 1, 2, 5);
    await fc.assert(
      fc.asyncProperty(fc.array(document, { minLength: 1, maxLength: 6 }), schedules, diesAt, async (documents, given, dies) => {
        const schedule = bounded(given);
        const authorityDies = dyingAuthority(dies);
        const { tax_id, documentOf } = newIssuer();
        const published: PublishedEvent[] = [];
        let lives = 0;
        const live = (previous?: FiscalSystem): Life => {
          const died = Promise.withResolvers<'died'>();
          const http = faultyNetwork(authorityDies.http, schedule, () => {
            system.crash();
            died.resolve('died');
          });
          const publish = async (events: PublishedEvent[]): Promise<void> => void published.push(...events);
          const { url: simulatorUrl, testUrls } = simulator;
          const options = { simulatorUrl, testUrls, clock: ahead(RESTARTED_MS * lives), publish, http };
          lives += 1;
          const system = previous ? restarted(previous, options) : new FiscalSystem(options);
          return { system, died: died.promise };
        };

        let life = live();
        const first = life.system;
        const { authorities } = first.fiscal.context;
        const canCancel = authorities.test.get(authority)?.cancel !== undefined;
        const requests = documents.map(({ simulate }, n) => {
          const request = first.requested();
          const { document_id } = request.data;
          return { ...request, data: { ...request.data, ...documentOf(iso(systemClock.now()), n + 1), document_id, simulate } };
        });
        const cancellations = requests.flatMap(({ data }, n) =>
          canCancel && documents[n]?.isCancelled ? [first.cancellation(data, { simulate: null })] : [],
        );
        const isPublished = (type: string) => (event: { subject: string }) =>
          published.some((one) => one.type === type && one.subject === event.subject);
        const finish = async ({ system, died }: Life): Promise<'done' | 'died'> => {
          const handled = system.consumer.on([...requests, ...cancellations]).then(() => 'handled' as const);
          if ((await Promise.race([handled, died])) === 'died') return 'died';
          const isDead = died.then(() => true);
          for (let waited = 0; waited < 30_000; waited += 10) {
            if (requests.every(isPublished(REGISTERED)) && cancellations.every(isPublished(CANCELLED))) return 'done';
            if (await Promise.race([isDead, systemClock.sleep(10)])) return 'died';
          }
          const states = await Promise.all(requests.map(({ subject }) => system.attempts(subject)));
          throw new Error(`not finished within 30 s: ${JSON.stringify(states)}`);
        };
        while ((await finish(life)) === 'died') life = live(life.system);
        await authorityDies.restarted();

        const { rows, gaps } = await ledgerOf(authority, tax_id);
        expect(gaps).toEqual([]);
        expect(rows.map(({ number }) => number).sort()).toEqual(requests.map(({ data }) => data.number).sort());
        for (const { subject, data } of requests) {
          const row = rows.find(({ number }) => number === data.number);
          const outcomes = published.filter((event) => event.type === REGISTERED && event.subject === subject);
          expect(new Set(outcomes.map((event) => JSON.stringify(event))).size).toBe(1);
          const { code, code_kind, late } = outcomes[0]?.data as unknown as { code: string; code_kind?: string; late: boolean };
          const isCancelled = cancellations.some((event) => event.subject === subject);
          if (authority !== 'es-verifactu') {
            // What was answered to a later message is late, although the first one was perhaps registered in time.
            expect([code, late || row?.late === null]).toEqual([row?.code, true]);
          } else {
            expect(isCancelled ? ['Anulada'] : ['Correcta', 'AceptadaConErrores']).toContain(row?.state);
            if (!isCancelled) expect(code).toBe(code_kind === 'request_id' ? row?.request : row?.code);
          }
        }
        const chains = await simulator.operate<{ data: { chain: string; breaks: object[] }[] }>(
          '/chains?authority=es-verifactu&limit=10000',
        );
        expect(chains.data.filter(({ chain }) => chain.startsWith(`${tax_id}|`)).flatMap(({ breaks }) => breaks)).toEqual([]);
        await life.system.close();
      }),
      { numRuns: 8, endOnFailure: true },
    );
  },
);
