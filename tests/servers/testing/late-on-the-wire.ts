import { impatient, type Issued, registrationsOf, wrongMarks, wrongTypes } from '@svc/fiscal-submission/submission/testing/late-marks';
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
  fault: string | null;
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

/** What happened besides: when replicas were killed, and when the authority's process was, in milliseconds since 1970 by the clocks that are right. */
interface Happened {
  clocks: SetClocks;
  kills: readonly number[];
  deaths: readonly number[];
}

/**
 * Late marks of an issuer's messages that are not what happened, and sendings that came too soon, as far as the authority can see it: a message about which the sender's
 * clock may have been right or wrong is judged by both.
 */
export async function wrongOnTheWire(
  system: Processes,
  shop: Shop,
  numbers: readonly string[],
  { clocks, kills, deaths }: Happened,
): Promise<string[]> {
  const exchanges = await exchangesOf(system, shop);
  const livesUntil = (at: number): number => 1 + kills.filter((kill) => kill < at).length;
  const callsBy = (wrongOf: (at: number) => number): Call[] =>
    exchanges.map(({ at, request, response, status, fault }): Call => {
      const time = Date.parse(at);
      const by = wrongOf(time);
      const isLost = status === null || fault === 'truncated';
      const answer = isLost ? { broke: true as const } : { answer: { text: textOf(response), at: time + by } };
      return { body: textOf(request), at: time + by, wrongBy: by, life: livesUntil(time), ...answer };
    });
  const judged = [callsBy(() => 0), callsBy((at) => clocks.wrongAt(at))].map((calls) =>
    shop.authority === 'es-verifactu'
      ? [...wrongMarks(calls), ...impatient(calls)]
      : numbers.flatMap((number) => typesOf(calls, issuedOf(calls, number, livesUntil), deaths)),
  );
  const [, ...others] = judged;
  return (judged[0] ?? []).filter((one) => others.every((marks) => marks.some((other) => keyOf(other) === keyOf(one))));
}

/** A finding without the time that it was judged by. */
const keyOf = (finding: string): string => finding.split(':', 1)[0] ?? '';

/** A message that its authority had read when it died is on no wire: those behind it blame the service. */
const typesOf = (calls: readonly Call[], issued: Issued, deaths: readonly number[]): string[] => {
  const [first] = registrationsOf(calls, issued.number);
  const mayBeLost = first && deaths.some((death) => death >= issued.at && death <= first.at);
  return mayBeLost ? [] : wrongTypes(calls, issued);
};

function issuedOf(calls: readonly Call[], number: string, livesUntil: (at: number) => number): Issued {
  const [own] = calls.filter(({ body }) => body.includes(` InvNum="${number}"`));
  const at = Date.parse(/ IssueDateTime="([^"]*)"/.exec(own?.body.slice(own.body.indexOf('<Invoice')) ?? '')?.[1] ?? '');
  return { number, at, life: livesUntil(at) };
}
