import { deliveryTransitions } from '@svc/contracts/webhook/vocabulary';
import type { EventRow } from '../event/event.ts';
import type { Answered } from '../sending/send.ts';
import { afterAttempt, newDelivery, type Delivery } from './delivery.ts';
import { shopEndpoint } from './testing/rows.ts';

const event = {
  _id: 'evt_01jh2k3m4n5p6q7r8s9t0v1w2x',
  account: 'acct_1',
  env: 'test',
  type: 'customer.created',
  subject: null,
  body: '{}',
};
const created = newDelivery(event as unknown as EventRow & { body: string }, shopEndpoint(), 0);
const DELAYS = [60_000, 300_000];

/** The statuses after each answer, one attempt after the other, until the schedule ends. */
function statusesAfter(answers: number[]): string[] {
  let delivery: Delivery = created;
  return answers.map((status) => {
    delivery = { ...delivery, ...afterAttempt(delivery, { answered: { status, body: '' } as Answered, began: 0, ended: 1 }, DELAYS) };
    return delivery.status;
  });
}
const row = (by: string) => deliveryTransitions.find((one) => one.by === by);

test('the published table of a delivery’s states agrees with what an attempt does', () => {
  expect(row('an event happens')?.to).toBe(created.status);
  expect(statusesAfter([204])).toEqual([row('an attempt is answered with 2xx')?.to]);
  const { from, to } = row('an attempt fails, and the schedule has another') ?? {};
  expect(statusesAfter([500, 410])).toEqual([...(from ?? []), ...(from ?? [])]);
  expect(to).toBe('same');
  expect(statusesAfter([500, 500, 302])).toEqual(['pending', 'pending', row('the last attempt of the schedule fails')?.to]);
});
