import { client, eventually, type Answer, type Call, type System } from '@svc/testkit';
import { countries } from '../../../tools/demo/countries.mjs';
import { openAccount } from '../../e2e/testing/accounts.ts';

export const nationalAuthorities = ['al-cis', 'es-verifactu', 'me-efi'] as const;
export type AuthorityId = (typeof nationalAuthorities)[number];

export interface Document {
  id: string;
  object: 'invoice' | 'receipt';
  status: string;
  number: string | null;
  corrects: string | null;
  total: number;
  fiscal_code: string | null;
  fiscal: {
    status: string;
    code: string | null;
    issuer_code: string | null;
    verification_url: string | null;
    late: boolean;
    error: { code: string; fixable: string | null } | null;
  } | null;
  void: { document_id: string | null; error: { code: string } | null } | null;
}

/** A sandbox issuer of a national authority, in an account of its own. */
export interface Shop {
  authority: AuthorityId;
  call: Call;
  tax_id: string;
  customer_id: string;
  country: (typeof countries)[AuthorityId];
}

export async function openShop(system: System, authority: AuthorityId): Promise<Shop> {
  const { test } = await openAccount(system, authority);
  return shopOf(test, authority);
}

/** The account of these calls as an issuer of the authority. */
export async function shopOf(call: Call, authority: AuthorityId): Promise<Shop> {
  const country = countries[authority];
  const { body: issuer } = await call<{ tax_id: string }>('PATCH', '/issuer', { body: { authority } });
  const { id } = (await call<{ id: string }>('POST', '/customers', { body: country.customer })).body;
  return { authority, call, tax_id: issuer.tax_id, customer_id: id, country };
}

const waiting = { headers: { prefer: 'wait=20' } };
export const pathOf = ({ object, id }: Pick<Document, 'object' | 'id'>): string => `/${object}s/${id}`;
export const line = (over: object = {}): object => ({ description: 'Consulting', unit_price: 50, ...over });

/** Creates an invoice and submits it; answers what the submission answers. `terms`: of the submission. */
export async function submit({ call, customer_id }: Shop, body: object, terms?: object): Promise<Answer<Document>> {
  const { body: draft } = await call<Document>('POST', '/invoices', { body: { customer_id, items: [line()], ...body } });
  return call<Document>('POST', `/invoices/${draft.id}/submit`, { ...waiting, ...(terms && { body: terms }) });
}

export const receipt = async ({ call }: Shop, over: object = {}): Promise<Document> => {
  const body = { items: [line({ unit_price: 3.5 })], payment_method: 'cash', ...over };
  return (await call<Document>('POST', '/receipts', { body, ...waiting })).body;
};

/** Reads a document until its registration has the status, by default for a minute. */
export const untilFiscal = (
  { call }: Shop,
  document: Pick<Document, 'object' | 'id'>,
  status = 'registered',
  withinMs = 60_000,
): Promise<Document> => {
  const read = async (): Promise<Document | undefined> => {
    const { body } = await call<Document>('GET', pathOf(document));
    if (body.fiscal?.status === 'rejected' && status !== 'rejected') throw new Error(`rejected: ${JSON.stringify(body.fiscal.error)}`);
    return body.fiscal?.status === status ? body : undefined;
  };
  return eventually(read, `${document.id} is ${status}`, withinMs);
};

export const untilStatus = ({ call }: Shop, document: Pick<Document, 'object' | 'id'>, status: string): Promise<Document> =>
  eventually(async () => {
    const { body } = await call<Document>('GET', pathOf(document));
    return body.status === status ? body : undefined;
  }, `${document.id} is ${status}`);

/** Submits and waits for the registration, which Spain's authority takes in batches. */
export async function registered(shop: Shop, body: object = {}, terms?: object): Promise<Document> {
  const { status, body: document, text } = await submit(shop, body, terms);
  if (status >= 300) throw new Error(`the submission is refused: ${text}`);
  return untilFiscal(shop, document);
}

interface Row {
  tax_id: string;
  number: string;
  code: string | null;
  state?: string;
  /** Of Spain whether its sending was marked; of the others the kind of late delivery. */
  late: boolean | string | null;
}

interface Ledger {
  data: Row[];
  meta: { gaps: { tax_id: string; missing: number }[] };
}

/** What the authority has of the issuer. `breaks`: of its chain; `missing`: ordinals of its numbers that it does not have. */
export async function atAuthority(
  { simulator }: Pick<System, 'simulator'>,
  { authority, tax_id }: Shop,
): Promise<{ rows: Row[]; breaks: object[]; missing: number }> {
  const operate = client(simulator);
  const query = { authority, limit: 10_000 };
  const { body: ledger } = await operate<Ledger>('GET', '/ledger', { query });
  const { body: chains } = await operate<{ data: { chain: string; breaks: object[] }[] }>('GET', '/chains', { query });
  return {
    rows: ledger.data.filter((row) => row.tax_id === tax_id),
    missing: ledger.meta.gaps.flatMap((gap) => (gap.tax_id === tax_id ? [gap.missing] : [])).reduce((sum, one) => sum + one, 0),
    breaks: chains.data.filter(({ chain }) => chain.startsWith(`${tax_id}|`)).flatMap((chain) => chain.breaks),
  };
}

/** Checks that the authority has each document once, with its number and code, and nothing else, in an unbroken chain. */
export async function expectOneEach(system: Pick<System, 'simulator'>, shop: Shop, documents: readonly Document[]): Promise<void> {
  const { rows, breaks } = await atAuthority(system, shop);
  expect(rows.map(({ number }) => number).sort()).toEqual(documents.map(({ number }) => number).sort());
  expect(breaks).toEqual([]);
}

/**
 * Checks that documents are late where the authority has them so. In Albania and Montenegro a repeated message is late, although the one before it was perhaps
 * registered in time.
 */
export async function expectLateAsSent(system: Pick<System, 'simulator'>, shop: Shop, documents: readonly Document[]): Promise<void> {
  const { rows } = await atAuthority(system, shop);
  const lateOf = new Map(rows.map(({ number, late }) => [number, late !== null && late !== false]));
  const isSame = ({ number, fiscal }: Document): boolean =>
    lateOf.get(number ?? '') === fiscal?.late || (shop.authority !== 'es-verifactu' && fiscal?.late === true);
  expect(documents.filter((document) => !isSame(document)).map(({ number, fiscal }) => `${number} ${fiscal?.late}`)).toEqual([]);
}
