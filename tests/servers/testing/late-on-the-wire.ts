import { type Issued, wrongMarks, wrongTypes } from '@svc/fiscal-submission/submission/testing/late-marks';
import type { Call } from '@svc/fiscal-submission/submission/testing/national-calls';
import { client, type Processes } from '@svc/testkit';
import type { Shop } from '../../authorities/testing/shop.ts';
import type { SetClocks } from './set-clocks.ts';

interface Exchange {
  n: number;
  at: string;
  /** base64, as the answer. */
  request: string;
  response: string;
  status: number | null;
}

const textOf = (base64: string): string => Buffer.from(base64, 'base64').toString('latin1');
const MOST_ROWS = 500;

/** What the issuer has sent, in order. */
async function exchangesOf({ simulator }: Processes, { authority, tax_id }: Shop): Promise<Exchange[]> {
  const all: Exchange[] = [];
  for (let after = 0; ; after = all.at(-1)?.n ?? after) {
    const query = { authority, after, limit: MOST_ROWS };
    const { body } = await client(simulator)<{ data: Exchange[] }>('GET', '/wire', { query });
    all.push(...body.data);
    if (body.data.length < MOST_ROWS) return all.filter(({ request }) => textOf(request).includes(tax_id));
  }
}

/** What happened besides: when replicas were killed, in milliseconds since 1970 by the clocks that are right. */
interface Happened {
  clocks: SetClocks;
  kills: readonly number[];
}

/**
 * Late marks of an issuer's messages that are not what happened, as far as the authority can see it: a message about which the sender's clock may have been right or
 * wrong is judged by both.
 */
export async function wrongOnTheWire(
  system: Processes,
  shop: Shop,
  numbers: readonly string[],
  { clocks, kills }: Happened,
): Promise<string[]> {
  const exchanges = await exchangesOf(system, shop);
  const livesUntil = (at: number): number => 1 + kills.filter((kill) => kill < at).length;
  const callsBy = (wrongOf: (at: number) => number): Call[] =>
    exchanges.map(({ at, request, response, status }): Call => {
      const time = Date.parse(at);
      const by = wrongOf(time);
      const answer = status === null ? { broke: true as const } : { answer: { text: textOf(response), at: time + by } };
      return { body: textOf(request), at: time + by, wrongBy: by, life: livesUntil(time), ...answer };
    });
  const judged = [callsBy(() => 0), callsBy((at) => clocks.wrongAt(at))].map((calls) =>
    shop.authority === 'es-verifactu'
      ? wrongMarks(calls)
      : numbers.flatMap((number) => wrongTypes(calls, issuedOf(calls, number, livesUntil))),
  );
  const [, ...others] = judged;
  return (judged[0] ?? []).filter((one) => others.every((marks) => marks.some((other) => keyOf(other) === keyOf(one))));
}

/** A finding without the time that it was judged by. */
const keyOf = (finding: string): string => finding.split(':', 1)[0] ?? '';

function issuedOf(calls: readonly Call[], number: string, livesUntil: (at: number) => number): Issued {
  const [own] = calls.filter(({ body }) => body.includes(` InvNum="${number}"`));
  const at = Date.parse(/ IssueDateTime="([^"]*)"/.exec(own?.body.slice(own.body.indexOf('<Invoice')) ?? '')?.[1] ?? '');
  return { number, at, life: livesUntil(at) };
}
