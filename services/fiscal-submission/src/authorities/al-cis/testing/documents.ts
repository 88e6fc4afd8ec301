import type { PublicEvent } from '@svc/contracts/events/envelope';
import { fixtureOf } from '@svc/contracts/testing/fixtures';
import { parseEvent } from '@svc/contracts/testing/parse';
import type { CancellationRequested, RegistrationRequested } from '@svc/contracts/registration/requested';
import { registrationRequested } from '../../../testing/system.ts';

export const ISSUED_AT = '2026-03-01T10:00:00.000Z';

const issuer: Partial<RegistrationRequested['issuer']> = {
  ...{ legal_name: 'Shitësi Test', tax_id: 'L12345678A', vat_registered: true, country: 'AL', currency: 'ALL', time_zone: 'Europe/Tirane' },
  address: { line1: 'Rruga e Durrësit 1', line2: null, city: 'Tiranë', postal_code: '1001', region: null, country: 'AL' },
  units: [{ code: 'bb123bb123', address: null, devices: ['cc123cc123'] }],
  ...{ operators: [{ code: 'oo123oo123', name: 'Ana' }], software_code: 'ss123ss123', authority: 'al-cis' },
};

const customer: RegistrationRequested['customer'] = {
  ...{ id: 'cust_01k9zq3r7te8v9x0a1b2c3d412', name: 'Blerësi', email: null, phone: null, tax_id: 'K12345678B', language: null },
  address: { line1: 'Street 2', line2: null, city: 'Durrës', postal_code: null, region: null, country: 'AL' },
};

type Item = RegistrationRequested['document']['items'][number];
type Tax = Item['taxes'][number];
interface Sold {
  quantity?: number;
  /** Net. */
  amount: number;
  tax?: Partial<Tax> | null;
  description?: string;
}

const vat = (tax: Partial<Tax>): Tax => ({ category: 'VAT', rate: 20, code: 'S', ...tax }) as Tax;
const cents = (value: number): number => Math.round(value * 100) / 100;

/** Items with what their taxes come to. */
function sold(lines: readonly Sold[]) {
  const items = lines.map(({ quantity = 1, amount, tax, description = 'Artikull' }) => ({
    ...{ product_id: null, description, quantity, unit: 'C62', unit_price: Math.abs(amount / quantity) },
    ...{ discounts: [], charges: [], discount_amount: 0, charge_amount: 0, amount },
    taxes: tax === null ? [] : [vat(tax ?? {})],
  })) as unknown as Item[];
  const taxed = items.filter(({ taxes }) => taxes.length > 0);
  const groups = [...Map.groupBy(taxed, ({ taxes: [tax] }) => `${tax?.code} ${tax?.rate}`).values()];
  const tax_breakdown = groups.map((group) => {
    const { category, code, rate } = group[0]?.taxes[0] as Tax;
    const base = cents(group.reduce((sum, { amount }) => sum + amount, 0));
    return { category, code, rate, retained: false, base, amount: cents((base * rate) / 100) };
  });
  const subtotal = cents(items.reduce((sum, { amount }) => sum + amount, 0));
  const tax_total = cents(tax_breakdown.reduce((sum, { amount }) => sum + amount, 0));
  return { items, tax_breakdown, subtotal, tax_total, total: cents(subtotal + tax_total) };
}

interface Asked {
  lines?: readonly Sold[];
  over?: Partial<RegistrationRequested>;
  document?: object;
  issuer?: Partial<RegistrationRequested['issuer']>;
}

/** An invoice of an Albanian issuer. */
export function alInvoice({ lines = [{ amount: 100.5 }], over = {}, document = {}, ...of }: Asked = {}): RegistrationRequested {
  const asked = registrationRequested('inv_1', ISSUED_AT);
  const invoice = { ...asked.document, ...sold(lines), currency: 'ALL', discounts: [], charges: [], due_date: '2026-03-31', ...document };
  return {
    ...asked,
    ...{
      authority: 'al-cis',
      number: '17/2026',
      seq: 17,
      issue_date: '2026-03-01',
      document: invoice as RegistrationRequested['document'],
    },
    ...{ issuer: { ...asked.issuer, ...issuer, ...of.issuer }, customer },
    ...over,
  };
}

/** A receipt of its till. */
export function alReceipt({ lines = [{ amount: 100.5 }], over = {}, document = {}, ...of }: Asked = {}): RegistrationRequested {
  const { data } = parseEvent(fixtureOf('invoicing.cancellation-requested.v1')) as PublicEvent<CancellationRequested>;
  const asked = alInvoice({ lines, ...of });
  const place = { unit: 'bb123bb123', device: 'cc123cc123', operator: 'oo123oo123', payment_method: 'cash', payments: [] };
  const receipt = { ...data.document, ...sold(lines), currency: 'ALL', ...place, ...document };
  return {
    ...asked,
    ...{ kind: 'receipt', number: '17/2026/cc123cc123', document: receipt as RegistrationRequested['document'], customer: null },
    ...over,
  };
}

export const original: NonNullable<RegistrationRequested['original']> = {
  ...{ number: '16/2026', issue_date: '2026-02-28', issued_at: '2026-02-28T09:00:00.000Z' },
  ...{ issuer_code: 'D04C13B4063D63A13B5D822A90178A7C', fiscal_code: '00000000-0000-4000-8000-000000000703' },
};

/** The shapes of documents that the service takes, by name. */
export const shapes: Record<string, RegistrationRequested> = {
  standard: alInvoice(),
  'cash receipt': alReceipt(),
  'credit note': alInvoice({ document: { type: 'credit_note', corrects: 'inv_0' }, over: { original } }),
  corrective: alInvoice({
    lines: [{ quantity: -1, amount: -20 }],
    document: { type: 'corrective', corrects: 'inv_0' },
    over: { original },
  }),
  'void of a receipt': alReceipt({ lines: [{ quantity: -1, amount: -100.5 }], over: { original } }),
  'reverse charge': alInvoice({ lines: [{ amount: 80, tax: { code: 'AE', rate: 0 } }] }),
  exempt: alInvoice({ lines: [{ amount: 80, tax: { code: 'E', rate: 0, exemption_code: 'TYPE_1' } as Partial<Tax> }, { amount: 20 }] }),
  'tax free, margin and export': alInvoice({
    lines: [
      { amount: 10, tax: null },
      { amount: 20, tax: { code: 'E', rate: 0, exemption_code: 'MARGIN_SCHEME' } as Partial<Tax> },
      { amount: 30, tax: { code: 'G', rate: 0 } },
    ],
  }),
  'several rates': alInvoice({
    lines: [{ amount: 10 }, { amount: 20, tax: { rate: 6 } }, { amount: 33.33, tax: { rate: 10 } }, { amount: 0.05 }],
  }),
  'discount of the document': alInvoice({
    lines: [{ amount: 10 }, { amount: 20 }],
    document: {
      ...{ tax_breakdown: [{ category: 'VAT', code: 'S', rate: 20, retained: false, base: 27, amount: 5.4 }] },
      ...{ subtotal: 27, tax_total: 5.4, total: 32.4 },
    },
  }),
  'foreign currency': alInvoice({ document: { currency: 'EUR', exchange_rate: 98.765 } }),
  late: alInvoice({ over: { late_reason: 'no_internet' } }),
  '500 lines': alInvoice({ lines: Array.from({ length: 500 }, (_, n) => ({ amount: n + 0.25, description: `Ë${'x'.repeat(60)}` })) }),
  'not in VAT': alInvoice({ issuer: { vat_registered: false }, lines: [{ amount: 10, tax: null }] }),
};
