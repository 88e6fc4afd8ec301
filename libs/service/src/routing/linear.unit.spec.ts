import { CreateInvoice } from '@svc/contracts/invoice/requests';
import { routeNames, routes } from '@svc/contracts/routes';
import { ajvOfAll } from '@svc/contracts/schema/ajv';
import { takeCalculated } from '@svc/contracts/schema/calculated';
import type { Class } from '@svc/contracts/schema/class';
import { schemaOf } from '@svc/contracts/schema/json-schema';
import { DomainError } from '@svc/kernel';
import { parseBody } from '../boot/request.ts';
import { bodyCheck } from './checks.ts';
import { worstBodies } from './testing/worst-bodies.ts';

const KIB = 1024;
const holds = (schema: object, value: unknown): boolean => ajvOfAll().validate(schema, value) as boolean;
const shapes = new Map<Class, number>(
  routeNames.flatMap((name) => (routes[name].body ? [[routes[name].body, routes[name].bodyLimit]] : [])),
);

/** Processor time in µs. */
function cost(judge: () => unknown): number {
  const begun = process.cpuUsage();
  judge();
  const { user, system } = process.cpuUsage(begun);
  return user + system;
}

const judging = (shape: Class, json: string) => {
  const bytes = Buffer.from(json);
  const check = bodyCheck(shape);
  return (): unknown => {
    try {
      const body = parseBody(bytes);
      takeCalculated(shape, body);
      return check(body);
    } catch (error) {
      if (error instanceof DomainError) return error;
      throw error;
    }
  };
};

/** A cost below this is noise, and harmless: quadratic growth would make it 10 ms at the limit of a body. */
const NOISE = 600;

/** The cost of the second divided by that of the first. Takes the minimum of several runs, of more if it is too high: other programs use the processor too. */
function ratio(first: () => unknown, second: () => unknown, most: number): number {
  const least: [number, number] = [Infinity, Infinity];
  const times = (): number => least[1] / Math.max(NOISE, least[0]);
  for (let round = 0, spent = 0; round < 40 && spent < 2e6; round += 1) {
    const costs = [cost(first), cost(second)] as const;
    least[0] = Math.min(least[0], costs[0]);
    least[1] = Math.min(least[1], costs[1]);
    spent += costs[0] + costs[1];
    if (round > 0 && times() <= most) break;
  }
  return times();
}

/** Three doublings of the body, each at most 2.5 times the work; quadratic growth would be 64 times. Noise matters less than in one doubling. */
const MOST_FOR_EIGHT = 2.5 ** 3;

describe('validating a body is linear in its size: twice the body is at most 2.5 times the work', () => {
  test.each([...shapes].map(([shape]) => [shape.name, shape] as const))('%s', (_, shape) => {
    const found = worstBodies(schemaOf(shape), holds).map(({ kind, json }) => [
      kind,
      ratio(judging(shape, json(16 * KIB)), judging(shape, json(128 * KIB)), MOST_FOR_EIGHT),
    ]);
    expect(found.filter(([, times]) => (times as number) > MOST_FOR_EIGHT)).toEqual([]);
  });

  test('a body with one wrong field costs little more than one without', () => {
    const item = { description: 'x'.repeat(200), quantity: 2, unit_price: '10.50', taxes: [{ rate: 20 }] };
    const body = (last: object) =>
      JSON.stringify({ customer_id: `cust_${'0'.repeat(26)}`, items: [...Array(499).fill(item), { ...item, ...last }] });
    const right = judging(CreateInvoice, body({}));
    expect(right()).toBe(true);
    expect(ratio(right, judging(CreateInvoice, body({ unit_price: 'cheap' })), 4)).toBeLessThan(4);
  });
});
