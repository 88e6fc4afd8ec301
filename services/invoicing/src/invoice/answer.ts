import type { CustomerResource } from '@svc/contracts/customer/resource';
import type { InvoiceResource } from '@svc/contracts/invoice/resource';
import type { Warning } from '@svc/contracts/invoice/warnings';
import type { Tax } from '@svc/contracts/tax';
import type { Projections } from '@svc/event-store';
import { dayIn, jsonText, JsonText, numberText, type Day } from '@svc/kernel';
import type { Call, DocumentContext, Written } from '../document/context.ts';
import { customersProjection } from '../customer/list.ts';
import type { StoredText } from '../document/stored-texts.ts';
import type { InvoiceRow } from './invoices.ts';
import { mayBePast, type Surroundings, type Warned, type WarnedCustomer, warningsOf } from './warnings.ts';
import { publicStatus } from './domain/actions.ts';
import type { InvoiceContent, InvoiceState } from './domain/state.ts';

/** What an answer adds to a draft. It is made with the answer, from what is true then: it is not stored and no part of the version. */
interface Added {
  /** null: the customer was erased. */
  customer_name: string | null;
  warnings: Warning[];
}

/** For the content of a draft, or of a preview, which may name no customer. */
export async function warningsNow(
  { context, identity, customers = context.customers }: Pick<Call, 'context' | 'identity' | 'customers'>,
  content: Warned & Pick<InvoiceContent, 'customer_id'>,
): Promise<Added> {
  const { account, env } = identity;
  const dayThere = async (): Promise<Day> => dayIn((await context.issuers.of(account, env)).time_zone, context.clock.now());
  const [today, customer] = await Promise.all([
    mayBePast(content) ? dayThere() : undefined,
    customers.find(account, env, content.customer_id),
  ]);
  return addedOf(content, { customer, today });
}

/** The resource as it is answered: of a draft with the name of its customer, and warnings. */
export const answered = (call: Call, resource: InvoiceResource): Promise<JsonText> =>
  answeredAs(call, resource.status, resource, new JsonText(jsonText(resource), resource.version));

/** What of a draft decides what is added to it, besides its lines. In a row that is read, null is absent. */
export const draftFields = ['status', 'customer_id', 'issue_date', 'due_date', 'corrects'] as const;
type DraftRow = Pick<InvoiceRow, (typeof draftFields)[number]>;
type Draft = Omit<DraftRow, 'status'>;

/** The same of one that was just read. */
export const answeredText = (call: Call, made: Written<InvoiceState> | StoredText<DraftRow>): Promise<JsonText> =>
  'state' in made
    ? answeredAs(call, publicStatus(made.state), made.state.content, made.text)
    : answeredAs(call, made.row.status, made.row, made.text);

async function answeredAs(call: Call, status: string, draft: Draft, made: JsonText): Promise<JsonText> {
  if (status !== 'draft') return made;
  const { customer_id } = draft;
  const warned = warnedOf(draft, made.text);
  if (mayBePast(warned)) return withAdded(made, fieldsOf(await warningsNow(call, { ...warned, customer_id })));
  const { context, identity, customers = context.customers } = call;
  return withAdded(made, fieldsFor(warned, await customers.find(identity.account, identity.env, customer_id)));
}

/** A draft as it is answered to whom this customer is known, on a day on which nothing of it has passed. */
export const answeredWith = (made: JsonText, draft: Partial<Draft>, customer: WarnedCustomer | undefined): JsonText =>
  withAdded(made, fieldsFor(warnedOf(draft, made.text), customer));

/** What is added to a draft whose lines have nothing to warn of, for as long as its customer is the same: a state in the cache. */
const addedToPlain = new WeakMap<WarnedCustomer, string>();

function fieldsFor(warned: Warned, customer: WarnedCustomer | undefined): string {
  const isPlain = warned.items.length === 0 && warned.corrects === null;
  const known = isPlain && customer ? addedToPlain.get(customer) : undefined;
  if (known !== undefined) return known;
  const fields = fieldsOf(addedOf(warned, { customer, today: undefined }));
  if (isPlain && customer) addedToPlain.set(customer, fields);
  return fields;
}

const addedOf = (content: Warned, surroundings: Surroundings): Added => ({
  customer_name: surroundings.customer?.personal?.name ?? null,
  warnings: warningsOf(content, surroundings),
});

const fieldsOf = (added: Added): string => JSON.stringify(added).slice(1);
const withFields = (text: string, fields: string): string => `${text.slice(0, -1)},${fields}`;
const withAdded = ({ text, version }: JsonText, fields: string): JsonText => new JsonText(withFields(text, fields), version);

/** Rows of a list as they are answered, drafts with the same. `rows`: of one account and environment; their customers are read at once. */
export const answeredRows =
  ({ issuers, clock }: DocumentContext, projections: Projections) =>
  async <R extends InvoiceRow>(rows: R[]): Promise<R[]> => {
    const drafts = rows.filter(({ status }) => status === 'draft');
    const [first] = drafts;
    if (!first) return rows;
    const [customers, { time_zone }] = await Promise.all([customersOf(projections, first, drafts), issuers.of(first.account, first.env)]);
    const today = dayIn(time_zone, clock.now());
    return rows.map((row) => {
      if (row.status !== 'draft') return row;
      const customer = customers.get(row.customer_id ?? '');
      const added = addedOf(warnedOf(row, row.resource), { customer, today });
      return { ...row, resource: withFields(row.resource, fieldsOf(added)) };
    });
  };

// A quotation mark within a text is escaped, so these are found as fields alone; by one expression, as each search passes over all of the text.
const ODD = /"(?:unit_price":0|rate":0\.|code":"(?:AE|K)")/;

/** What is looked at of a draft: its lines only where they may have what is warned of, so that most texts are not parsed. */
function warnedOf({ issue_date = null, due_date = null, corrects = null }: Partial<Draft>, resource: string): Warned {
  if (ODD.test(resource)) return warnedIn(JSON.parse(resource) as InvoiceResource);
  return { issue_date, due_date, corrects, items: [], discounts: [], charges: [] };
}

/** What is looked at of a resource. A rate has too few decimals to be written with an exponent; of a price it matters whether it is 0. */
function warnedIn({ issue_date, due_date, corrects, items, discounts, charges }: InvoiceResource): Warned {
  const exact = (taxes: readonly Tax[]) => taxes.map(({ category, code, rate }) => ({ category, code, rate: numberText(rate) }));
  const adjusting = ({ taxes }: { taxes?: Tax[] | null | undefined }) => (taxes ? { taxes: exact(taxes) } : {});
  return {
    ...{ issue_date, due_date, corrects },
    items: items.map(({ unit_price, taxes }) => ({ unit_price: Number(numberText(unit_price)) === 0 ? '0' : '1', taxes: exact(taxes) })),
    ...{ discounts: discounts.map(adjusting), charges: charges.map(adjusting) },
  };
}

/** Bytes of customers that are read at once. */
const AT_ONCE = 128 * 1_024;

/** The customers of a page of drafts, by their ids. */
async function customersOf(
  projections: Projections,
  { account, env }: InvoiceRow,
  drafts: readonly InvoiceRow[],
): Promise<Map<string, WarnedCustomer>> {
  const running = projections.of(customersProjection);
  const { rows, barrier } = running.earlier ?? running; // while the read model is being built
  await barrier();
  const ids = [...new Set(drafts.flatMap(({ customer_id }) => customer_id ?? []))];
  const customers = new Map<string, WarnedCustomer>();
  for await (const found of rows.read(ids, { account, env }, AT_ONCE))
    for (const { _id, resource } of found) customers.set(_id, customerIn(resource));
  return customers;
}

function customerIn(resource: string): WarnedCustomer {
  const { id, language, deleted_at, erased_at, ...personal } = JSON.parse(resource) as CustomerResource;
  return { id, language, deleted_at, personal: erased_at === null ? (personal as WarnedCustomer['personal']) : null };
}
