import { documentTopics, type PublicEvent } from '@svc/contracts/events/envelope';
import type { InvoiceResource } from '@svc/contracts/invoice/resource';
import type { ReceiptResource } from '@svc/contracts/receipt/resource';
import { goldenEvents } from '@svc/contracts/testing/golden';
import { numberText } from '@svc/kernel';
import { startReportingApp } from '../testing/reporting-app.ts';

type Event = PublicEvent<InvoiceResource | ReceiptResource>;

const golden = goldenEvents(...Object.values(documentTopics)) as Event[];
const actor = { type: 'system' as const, id: null };
const numbered = { seq: 1, series_key: 'INV.2026' };
/** The event as the first of its document with a number. Events of 0.1.0 have no entry. */
const asFirst = (event: Event): Event => ({
  ...event,
  entry: { type: 'updated', at: event.time, actor, request_id: null, ...event.entry, line: 1, numbered },
});

/** A system to which only this event was published. */
async function after(event: Event) {
  const app = await startReportingApp();
  try {
    await app.publish(event);
    return { postings: await Array.fromAsync(app.ledger.postings.find({})), deadLetters: await Array.fromAsync(app.deadLetters.find({})) };
  } finally {
    await app.close();
  }
}

test('there are golden events with an entry, and of registered and of voided documents of both kinds', () => {
  expect(golden.some(({ entry }) => entry) && golden.some(({ entry }) => !entry)).toBe(true);
  const found = new Set(golden.map(({ data }) => `${data.object} ${data.status}`));
  expect([...found]).toEqual(expect.arrayContaining(['invoice submitted', 'invoice voided', 'receipt issued', 'receipt voided']));
});

test.each(golden.map((event) => [event.type, event] as const))('%s', async (_type, event) => {
  const { postings, deadLetters } = await after(asFirst(event));
  expect(deadLetters).toEqual([]);
  const { data } = event;
  if (data.number === null) return expect(postings).toEqual([]);
  const { account, env, subject: document, time: recorded_at } = event;
  expect(postings).toMatchObject([
    {
      document,
      account,
      env,
      recorded_at,
      kind: data.object,
      number: data.number,
      issued_on: data.issue_date,
      customer_id: data.customer_id,
    },
  ]);
  expect(postings[0]?.currency).toBe(data.currency);
  expect(numberText(data.total)).toMatch(/^-?\d/);
});
