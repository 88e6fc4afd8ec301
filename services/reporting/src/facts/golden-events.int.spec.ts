import { documentTopics, type PublicEvent } from '@svc/contracts/events/envelope';
import type { InvoiceResource } from '@svc/contracts/invoice/resource';
import type { ReceiptResource } from '@svc/contracts/receipt/resource';
import { goldenEvents } from '@svc/contracts/testing/golden';
import { numberText } from '@svc/kernel';
import { startReportingApp } from '../testing/reporting-app.ts';

type Event = PublicEvent<InvoiceResource | ReceiptResource>;

const golden = goldenEvents(...Object.values(documentTopics)) as Event[];
/** A document counts once the authority has registered it. */
const counting = golden.filter(({ data }) => ['registered', 'cancelled'].includes(data.fiscal?.status ?? ''));

/** A system to which only this golden event was published. */
async function after(event: Event) {
  const app = await startReportingApp();
  try {
    await app.publish(event);
    return { fact: await app.facts.get(event.subject), letters: await Array.fromAsync(app.deadLetters.find({})) };
  } finally {
    await app.close();
  }
}

test('there are golden events of registered and of voided documents of both kinds', () => {
  const found = new Set(counting.map(({ data }) => `${data.object} ${data.status}`));
  expect([...found]).toEqual(expect.arrayContaining(['invoice submitted', 'invoice voided', 'receipt issued', 'receipt voided']));
});

test.each(golden.map((event) => [event.type, event] as const))('%s', async (_type, event) => {
  const { fact, letters } = await after(event);
  expect(letters).toEqual([]);
  if (!counting.includes(event)) return expect(fact).toBeUndefined();
  const { data } = event;
  expect(fact).toMatchObject({
    kind: data.object,
    account: event.account,
    env: event.env,
    version: event.sequence,
    number: data.number,
    currency: data.currency,
    issued_on: data.issue_date,
    customer_id: data.customer_id,
    subtotal: numberText(data.subtotal),
    tax_total: numberText(data.tax_total),
    total: numberText(data.total),
  });
  expect(fact?.voided_on).toEqual(data.status === 'voided' ? expect.stringMatching(/^\d{4}-\d\d-\d\d$/) : null);
  expect(fact?.taxes).toHaveLength(data.tax_breakdown.length);
  const products = new Set(data.items.flatMap(({ product_id }) => product_id ?? []));
  expect(fact?.products.map(({ product_id }) => product_id)).toEqual([...products]);
});
