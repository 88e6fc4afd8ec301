import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { FakeClock } from '@svc/kernel';
import { createLogger } from '@svc/service';
import { createClockCheck } from './clock-check.ts';
import { witnessesOf, type Witness } from './witnesses.ts';

const AT = Date.UTC(2026, 10, 26, 12);
let server: Server;
let asked: string[];
let answer: (response: ServerResponse) => void;
beforeEach(async () => {
  asked = [];
  server = createServer((request: IncomingMessage, response) => {
    asked.push(`${request.method} ${request.url}`);
    response.sendDate = false;
    answer(response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
});
const dateHeader = (origin: string): Witness => witnessesOf({}, [origin])[0] as Witness;
const origin = (): string => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
const date = new Date(AT).toUTCString();

test.each([
  ['as it is', 200, {}, AT],
  ['of a cache, by its age', 200, { age: '3600' }, AT + 3_600_000],
  ['of an error', 503, {}, AT],
  ['of a redirection, which is not followed', 302, { location: 'http://127.0.0.1:1/' }, AT],
])('the time of an answer %s', async (_what, status, headers, expected) => {
  answer = (response) => response.writeHead(status, { date, ...headers }).end();
  const witness = dateHeader(origin());
  expect([await witness.time(), witness.name]).toEqual([expected, new URL(origin()).host]);
  expect(asked).toEqual(['HEAD /']);
});

test.each([
  ['no Date', {}],
  ['a Date that is none', { date: 'today' }],
  ['an Age that is none', { date, age: 'old' }],
])('an answer with %s says nothing', async (_what, headers) => {
  answer = (response) => response.writeHead(200, headers).end();
  await expect(dateHeader(origin()).time()).rejects.toThrow('does not say what time it is');
});

test('it stops numbers where MongoDB says the same, and confirms a clock that MongoDB does not', async () => {
  answer = (response) => response.writeHead(200, { date }).end();
  const logger = createLogger({ level: 'silent', service: 'invoicing' });
  const verdictAt = async (clockMs: number, mongoMs: number): Promise<string> => {
    const witnesses: Witness[] = witnessesOf({ time: async () => mongoMs }, [origin()]);
    const check = createClockCheck({ witnesses, clock: new FakeClock(clockMs), logger });
    return check.check().then(
      () => 'numbers',
      (error: { code: string }) => error.code,
    );
  };
  const [early, late] = [AT, AT + 20 * 60_000];
  expect(await verdictAt(early, early)).toBe('numbers');
  expect(await verdictAt(late, early)).toBe('service_unavailable');
  expect(await verdictAt(late, late)).toBe('numbers');
  expect(await verdictAt(early, early - 20 * 60_000)).toBe('numbers');
});
