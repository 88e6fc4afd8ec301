import type { InvoiceResource } from '@svc/contracts/invoice/resource';
import type { Warning } from '@svc/contracts/invoice/warnings';
import type { Projections } from '@svc/event-store';
import { dayIn, JsonText } from '@svc/kernel';
import { customersProjection } from '../customer/list.ts';
import type { Call } from '../document/documents.ts';
import type { DocumentRow } from '../document/list.ts';
import { warningsOf } from './warnings.ts';
import type { InvoiceContent } from './domain/state.ts';
import { invoices } from './invoices.ts';

/** What an answer adds to a draft. It is made with the answer, from what is true then: it is not stored and no part of the version. */
interface Added {
  /** null: the customer was erased. */
  customer_name: string | null;
  warnings: Warning[];
}

/** For the content of a draft, or of a preview, which may name no customer. */
export async function warningsNow({ context, identity }: Pick<Call, 'context' | 'identity'>, content: InvoiceContent): Promise<Added> {
  const { account, env } = identity;
  const [{ time_zone }, customer] = await Promise.all([
    context.issuers.of(account, env),
    context.customers.find(account, env, content.customer_id),
  ]);
  const today = dayIn(time_zone, context.clock.now());
  return { customer_name: customer?.personal?.name ?? null, warnings: warningsOf(content, { customer, today }) };
}

/** The resource as it is answered: of a draft with the name of its customer, and warnings. */
export async function answered(call: Call, resource: InvoiceResource): Promise<InvoiceResource> {
  if (resource.status !== 'draft') return resource;
  const { state } = await invoices.current(call.context, { ...call.identity, id: resource.id }, call.turn);
  return { ...resource, ...(await warningsNow(call, state.content)) };
}

/** The same of the text of a resource that was just read. */
export async function answeredText(call: Call, id: string, made: JsonText): Promise<JsonText> {
  if (!isDraft(made.text)) return made;
  const { state } = await invoices.current(call.context, { ...call.identity, id }, call.turn);
  return new JsonText(withFields(made.text, await warningsNow(call, state.content)), made.version);
}

/** Characters within which every resource has its status. */
const HEAD = 400;
const isDraft = (text: string): boolean => text.slice(0, HEAD).includes('"status":"draft"');

const withFields = (text: string, fields: object): string => `${text.slice(0, -1)},${JSON.stringify(fields).slice(1)}`;

/** Drafts of a list with the names of their customers: one look-up for the rows that are read at once. */
export const namedDrafts =
  (projections: Projections) =>
  async <R extends DocumentRow>(rows: R[]): Promise<R[]> => {
    const drafts = rows.filter(({ status }) => status === 'draft');
    const names = await namesOf(projections, drafts);
    return rows.map((row) =>
      row.status === 'draft'
        ? { ...row, resource: withFields(row.resource, { customer_name: names.get(row.customer_id ?? '') ?? null }) }
        : row,
    );
  };

/** Bytes of customers that are read at once. */
const AT_ONCE = 128 * 1_024;

/** By the id of the customer, those that are not erased. `drafts`: of one account and environment, a page of them at most. */
async function namesOf(projections: Projections, drafts: readonly DocumentRow[]): Promise<Map<string, string | null>> {
  const names = new Map<string, string | null>();
  const [first] = drafts;
  if (!first) return names;
  const running = projections.of(customersProjection);
  const { rows, barrier } = running.earlier ?? running; // while the read model is being built
  await barrier();
  const ids = [...new Set(drafts.flatMap(({ customer_id }) => customer_id ?? []))];
  for await (const found of rows.read(ids, { account: first.account, env: first.env }, AT_ONCE))
    for (const { _id, resource } of found) names.set(_id, (JSON.parse(resource) as { name: string | null }).name);
  return names;
}
