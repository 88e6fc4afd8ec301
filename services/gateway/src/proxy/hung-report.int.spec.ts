import type { Socket } from 'node:net';
import { code } from '../testing/call.ts';
import { ProxySystem } from '../testing/proxy-system.ts';
import { httpAnswer } from '../testing/raw-upstream.ts';
import type { Timeouts } from './deadlines.ts';

const OBJECT = httpAnswer('200 OK', '{"object":"report"}');
const HALF = OBJECT.slice(0, -5);
const REPORT = '/v1/reports/sales';
const OTHER_REPORT = '/v1/reports/aging';
const answers = (socket: Socket): boolean => socket.write(OBJECT);
/** Well within the 40 s of an edge. */
const LATEST_MS = 15_000;

let system: ProxySystem;
beforeEach(() => void (system = new ProxySystem()));
afterEach(() => system.stop());

/** Reporting has one address, and all other services are well. */
async function systemWith(react: (socket: Socket, request: string) => unknown, timeouts: Partial<Timeouts>) {
  const [reporting, others] = [await system.raw(react), await system.raw(answers)] as const;
  const { call } = await (await system.gateway([others.origin], timeouts, [], { reporting: [reporting.origin] })).account();
  const reports = (): number => reporting.requests.filter((request) => request.startsWith(`GET ${REPORT} `)).length;
  const statuses = (path: string, count: number): Promise<number[]> =>
    Promise.all(Array.from({ length: count }, () => call('GET', path))).then((all) => all.map(({ status }) => status));
  return { reporting, call, reports, statuses };
}

test(
  'while the only reporting hangs, reports are 503 with Retry-After, what others serve goes on, and reports are answered once it goes on',
  async () => {
    const { reporting, call, statuses } = await systemWith(answers, { look: 300, connect: 300, unreached: 1_500 });
    expect(await statuses(REPORT, 3)).toEqual([200, 200, 200]);
    reporting.hangs = true;
    const hung = Promise.all([call('GET', REPORT), call('GET', OTHER_REPORT)]);
    expect(await statuses('/v1/customers', 20)).toEqual(Array(20).fill(200));
    for (const answer of await hung) expect([code(answer), answer.headers['retry-after']]).toEqual(['503 service_unavailable', '1']);
    expect(code(await call('GET', REPORT))).toBe('503 service_unavailable');
    const waits = call('GET', REPORT);
    reporting.hangs = false;
    expect([(await waits).status, ...(await statuses(REPORT, 3))]).toEqual([200, 200, 200, 200]);
  },
  LATEST_MS,
);

test.each([
  ['is not answered', ''],
  ['breaks off after its beginning', HALF],
])('a report that %s ends with 503 after its time and is asked for once, and other reports go on', async (_what, begun) => {
  const react = (socket: Socket, request: string): unknown => socket.write(request.startsWith(`GET ${REPORT} `) ? begun : OBJECT);
  const { call, reports, statuses } = await systemWith(react, { look: 200, answer: 1_500, body: 1_500 });
  const hung = call('GET', REPORT);
  expect(await statuses(OTHER_REPORT, 20)).toEqual(Array(20).fill(200));
  const answer = await hung;
  expect([code(answer), answer.headers['retry-after'], reports()]).toEqual(['503 service_unavailable', '1', 1]);
  expect(await statuses(OTHER_REPORT, 3)).toEqual([200, 200, 200]);
});
