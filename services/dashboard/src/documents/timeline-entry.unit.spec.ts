import { type Entry, shownOf, withoutDoubles } from './timeline-entry.ts';

const entry = (kind: string, detail: object, at = '2026-11-28T10:00:00.000Z'): Entry => ({
  ...{ at, kind, title: 'as the interface says', actor: null, detail: detail as Entry['detail'], request_id: null },
});

test('a payment is shown once, as the payment; one that was reversed since stays in the history', () => {
  const payment = entry('payment', { amount: '500' });
  const recorded = entry('history', { type: 'payment_recorded' });
  const reversed = entry('history', { type: 'payment_recorded' }, '2026-11-28T10:00:01.000Z');
  expect(withoutDoubles([reversed, payment, recorded])).toEqual([reversed, payment]);
});

test('a change of what can be done alone is not shown', () => {
  const changed = (changes: object) => entry('history', { type: 'updated', changes });
  const [none, actions, amounts] = [
    changed({}),
    changed({ unavailable_actions: {} }),
    changed({ unavailable_actions: {}, amount_due: '0' }),
  ];
  expect(withoutDoubles([none, actions, amounts])).toEqual([amounts]);
  expect(shownOf(amounts)).toMatchObject({ text: 'amount due' });
  expect(shownOf(changed({ amount_credited: '60', amount_due: '0' })).title).toBe('What is credited of it has changed');
});

test('a delivery leads to its page and says why it did not arrive', () => {
  const attempts = [{ error: 'it answered 500' }, { error: 'it answered 503' }];
  const endpoint = { url: 'https://shop.example/hook?token=1', description: null, deleted_at: null };
  const detail = { id: 'whd_1', endpoint_id: 'we_1', event_type: 'invoice.submitted', status: 'pending', attempts, endpoint };
  expect(shownOf(entry('delivery', detail))).toEqual({
    ...{ title: 'Webhook invoice.submitted: Waiting', text: 'shop.example · it answered 503', tone: 'warn' },
    to: '/app/webhooks/we_1/deliveries/whd_1',
  });
  const gone = { ...endpoint, description: 'Shop', deleted_at: '2026-11-28T11:00:00.000Z' };
  expect(shownOf(entry('delivery', { ...detail, status: 'succeeded', attempts: [{ error: null }], endpoint: gone }))).toMatchObject({
    ...{ title: 'Webhook invoice.submitted: Delivered', text: 'Shop (deleted)' },
  });
});

test('a rejection has the reason of the authority', () => {
  const changes = { fiscal: { error: { code: 'SBX-1001', message: 'No.' } } };
  expect(shownOf(entry('history', { type: 'rejected', changes }))).toMatchObject({ tone: 'bad', text: 'No. (SBX-1001)' });
});
