import { takeNamespaces } from '@svc/document-store/testing/namespace';
import { brokers, KafkaFixture } from '@svc/event-bus/testing/kafka-fixture';
import { topics } from '@svc/contracts/events/envelope';
import { createIds, currencyDecimals, decimal, numberText, systemClock, toText } from '@svc/kernel';
import { createIdentitySigner, internalKeys } from '@svc/service';
import { ACCOUNT, invoiceEvent, registered } from './testing/sample-documents.ts';
import { plainFold, type Sums } from './testing/plain-fold.ts';
import { randomHistory } from './testing/random-history.ts';
import { INTERNAL_KEYS, startReporting } from './testing/reporting-process.ts';

const { url: mongoUrl, drop } = takeNamespaces();
let fixture: KafkaFixture;
beforeEach(async () => {
  fixture = await KafkaFixture.create();
});
afterEach(() => fixture.close());
afterAll(() => drop());

const sign = createIdentitySigner(internalKeys(INTERNAL_KEYS), systemClock);
const ids = createIds(systemClock);
const identity = (): string =>
  sign(
    {
      ...{ account: ACCOUNT, env: 'test', livemode: false, permissions: ['*'], actor: { type: 'api_key', id: 'key_1' } },
      ...{ requestId: 'req_1', commandId: ids.next() },
    },
    'reporting',
  );

const { documents, events, days } = randomHistory(20_261_130, 150);
const asked = { from: days[0], to: days[1], as_of: days[1], known_at: Infinity, kind: 'all' as const };
const judge = plainFold(documents);

/** The sum of a figure over all rows, by currency. */
function totalsOf(sums: Sums, figure: string): Record<string, bigint> {
  const totals: Record<string, bigint> = {};
  for (const [key, row] of Object.entries(sums)) {
    const currency = key.slice(-3);
    totals[currency] = (totals[currency] ?? 0n) + (row[figure] ?? 0n);
  }
  return totals;
}
const expected = { sales: totalsOf(judge.sales(asked), 'total'), receivables: totalsOf(judge.receivables(asked), 'total') };

const DAY = asked.as_of as string;
/** The currency of documents that are made meanwhile, 120 each: no other document has it. */
const MEANWHILE = 'USD';
const EACH = 12_000n;
const meanwhile = (n: number) => [
  invoiceEvent(
    n,
    { currency: MEANWHILE, issue_date: DAY, fiscal: { ...registered, status: 'pending' } },
    { sequence: 1, time: `${DAY}T12:00:00.000Z`, entry: { type: 'numbered' } },
  ),
  invoiceEvent(n, { currency: MEANWHILE, issue_date: DAY }, { sequence: 2, time: `${DAY}T12:00:01.000Z`, entry: { type: 'registered' } }),
];

interface Total {
  currency: string;
  total: number;
}
/** undefined: nobody answers, or a replica that was not ready does not yet. */
async function answerOf(
  { url, report: readiness }: Replica,
  report: keyof typeof expected,
  more = '',
): Promise<Record<string, bigint> | undefined> {
  const isReady = (await readiness('/readyz').catch(() => undefined))?.status === 200;
  const query = `from=${asked.from}&to=${asked.to}&as_of=${asked.as_of}${more}`;
  const headers = { 'x-svc-identity': identity() };
  const response = await fetch(`${url}/v1/reports/${report}?${query}`, { headers }).catch(() => undefined);
  if (!response || (response.status === 503 && !isReady)) return undefined;
  expect(response.status).toBe(200);
  const { totals } = (await response.json().catch(() => ({}))) as { totals?: Total[] }; // it may be killed meanwhile
  const units = ({ currency, total }: Total) => BigInt(toText(decimal(numberText(total)).times(`1e${currencyDecimals(currency) ?? 2}`)));
  return totals && Object.fromEntries(totals.map((total) => [total.currency, units(total)]));
}
type Replica = Awaited<ReturnType<typeof startReporting>>;

test('postings are built anew by two replicas of which each is killed, while documents are made: an answer is right, and a ready replica gives one', async () => {
  const { bus, leave } = await fixture.join([]);
  for (let at = 0; at < events.length; at += 50) await bus.publish(topics.invoice, events.slice(at, at + 50));
  await fixture.mark();
  const settings = { NAMESPACE: fixture.namespace, MONGODB_URL: mongoUrl, KAFKA_BROKERS: brokers().join(',') };
  const replicas = await Promise.all([startReporting(settings), startReporting(settings)]);
  let answers = 0;
  let kills = 0;
  let made = 0;
  let over = false;
  const maker = async (): Promise<void> => {
    for (; !over; await systemClock.sleep(50)) {
      made += 1;
      await bus.publish(topics.invoice, meanwhile(10_000 + made));
    }
  };
  const reader = async (n: 0 | 1): Promise<void> => {
    const seen = { sales: 0n, receivables: 0n };
    while (!over) {
      for (const report of ['sales', 'receivables'] as const) {
        const answer = await answerOf(replicas[n], report);
        if (!answer) continue;
        const { [MEANWHILE]: fresh = 0n, ...before } = answer;
        expect([report, before]).toEqual([report, expected[report]]);
        expect([fresh % EACH, fresh >= seen[report], fresh <= BigInt(made) * EACH]).toEqual([0n, true, true]);
        seen[report] = fresh;
        answers += 1;
      }
      await systemClock.sleep(100);
    }
  };
  const work = Promise.all([maker(), reader(0), reader(1)]);
  for (const n of [0, 1, 0] as const) {
    await Promise.race([systemClock.sleep(1_500), work]);
    replicas[n].child.kill('SIGKILL');
    await replicas[n].ended;
    kills += 1;
    replicas[n] = await startReporting(settings);
  }
  const before = answers;
  for (const end = systemClock.now() + 150_000; answers < before + 8 && systemClock.now() < end;)
    await Promise.race([systemClock.sleep(200), work]);
  over = true;
  await work;
  expect([kills, answers >= before + 8, made > 20]).toEqual([3, true, true]);
  let last: Record<string, bigint> | undefined;
  for (
    const end = systemClock.now() + 60_000;
    last?.[MEANWHILE] !== BigInt(made) * EACH && systemClock.now() < end;
    await systemClock.sleep(200)
  )
    last = await answerOf(replicas[0], 'receivables');
  expect(last).toEqual({ ...expected.receivables, [MEANWHILE]: BigInt(made) * EACH });
  for (const { child, ended } of replicas) {
    child.kill('SIGTERM');
    await ended;
  }
  await leave();
});

test('beside a release that publishes no entries nothing is answered; then the history comes, bit by bit, and answers are whole', async () => {
  const { bus, leave } = await fixture.join([]);
  const slices = Array.from({ length: Math.ceil(events.length / 50) }, (_, n) => events.slice(n * 50, (n + 1) * 50));
  for (const slice of slices)
    await bus.publish(
      topics.invoice,
      slice.map(({ entry: _, ...event }) => event),
    );
  const replica = await startReporting({ NAMESPACE: fixture.namespace, MONGODB_URL: mongoUrl, KAFKA_BROKERS: brokers().join(',') });
  const consumed = await replica.until(({ checks }) => checks.kafka === 'ok' && checks.http === 'ok');
  expect(consumed.status).toBe(503);
  for (const slice of [...slices, []]) {
    await systemClock.sleep(200);
    expect([await answerOf(replica, 'sales'), await answerOf(replica, 'receivables')]).toEqual([undefined, undefined]);
    if (slice.length > 0) await bus.publish(topics.history, slice);
  }
  await fixture.mark();
  await replica.until(({ status }) => status === 200);
  const known_at = new Date(systemClock.now() - 6 * 60_000).toISOString();
  for (const more of ['', `&known_at=${known_at}`])
    expect([await answerOf(replica, 'sales', more), await answerOf(replica, 'receivables', more)]).toEqual([
      expected.sales,
      expected.receivables,
    ]);
  replica.child.kill('SIGTERM');
  await replica.ended;
  await leave();
});
