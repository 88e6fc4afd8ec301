import { eventually } from '@svc/testkit';
import { openAccount } from '../accounts.ts';
import type { Shared } from './shared-system.ts';

interface Resource {
  id: string;
  status: string;
  number: string | null;
  issuer: { units: unknown[] } | null;
  error?: { code: string; details: Record<string, string[]> };
}

/** Maximum size of a request body. */
const MOST_BODY = 256 * 1_024;
const KEPT_FREE = 2_048;
const text = (length: number): string => 'ë'.repeat(length);

interface Shape {
  lines: number;
  taxes: number;
  reason: number;
}

/** A body with this many lines, filled up with text. */
function bodyOf(customer_id: string, { lines, taxes, reason }: Shape): object {
  const line = (n: number, length: number) => ({
    description: text(length) || '-',
    unit_price: 1,
    taxes: Array.from({ length: taxes }, (_, at) => ({
      category: `T${n}_${at}`,
      rate: 1,
      ...(reason > 0 ? { exemption_reason: text(reason) } : {}),
    })),
  });

  const of = (length: number) => ({ customer_id, items: Array.from({ length: lines }, (_, n) => line(n, length)) });
  const room = MOST_BODY - KEPT_FREE - Buffer.byteLength(JSON.stringify(of(0)));
  return of(Math.max(0, Math.min(2_000, Math.floor(room / lines / 2))));
}

const shapes: Shape[] = [
  { lines: 500, taxes: 10, reason: 0 },
  { lines: 500, taxes: 2, reason: 0 },
  { lines: 500, taxes: 1, reason: 0 },
  { lines: 500, taxes: 0, reason: 0 },
  { lines: 100, taxes: 10, reason: 60 },
  { lines: 60, taxes: 1, reason: 255 },
];

/** The largest documents that a request can describe. */
export function testLargestDocument(shared: () => Shared): void {
  test('refuses the largest possible requests on arrival or carries them through to their last event, and spends no number on refused ones', async () => {
    const { test: call } = await openAccount(shared().system, 'Large');
    const { body: customer } = await call<Resource>('POST', '/customers', { body: { name: text(255), email: 'a@customers.example' } });
    const unit = (n: number) => ({
      code: `U${n}`,
      address: { line1: text(255), line2: text(255), city: text(255) },
      devices: ['D1', 'D2'],
    });
    let units = 0;
    for (let status = 200; status === 200; units += 1) {
      const patch = { units: Array.from({ length: units + 1 }, (_, n) => unit(n)) };
      ({ status } = await call<Resource>('PATCH', '/issuer', { body: patch }));
    }
    expect(units).toBeGreaterThan(20);
    expect(units).toBeLessThan(60);

    const numbers: string[] = [];
    const refused: Shape[] = [];
    for (const shape of shapes) {
      const created = await call<Resource>('POST', '/invoices', { body: bodyOf(customer.id, shape) });
      if (created.status === 422) {
        expect(Object.keys(created.body.error?.details ?? {})).toEqual(['items']);
        refused.push(shape);
        continue;
      }
      expect(created.status).toBe(201);
      const { id } = created.body;
      const { body: invoice } = await call<Resource>('POST', `/invoices/${id}/submit`, { headers: { prefer: 'wait=25' } });
      expect(invoice).toMatchObject({ id, status: 'submitted', issuer: { units: [{ code: 'U0', devices: ['D1'] }] } });
      numbers.push(invoice.number as string);
      await eventually(
        async () => {
          const { body } = await call<{ data: { type: string }[] }>('GET', '/events', { query: { resource_id: id } });
          return body.data.some(({ type }) => type === 'invoice.submitted');
        },
        `the event of ${JSON.stringify(shape)}`,
      );
    }
    expect(refused).toEqual([shapes[0]]);
    expect(numbers.map((number) => Number(number.slice(-6)))).toEqual(numbers.map((_, n) => n + 1));
  });
}
