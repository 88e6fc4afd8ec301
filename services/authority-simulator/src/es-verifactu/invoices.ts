import { iso } from '@svc/kernel';
import type { Book, Document } from '../wires/book.ts';
import { dayOf, type InvoiceId } from './record.ts';

export type InvoiceState = 'Correcta' | 'AceptadaConErrores' | 'Anulada';

/** What the ledger shows of an invoice besides. */
export interface InvoiceDetail {
  /** `dd-mm-yyyy` */
  day: string;
  state: InvoiceState;
  /** The code of the warning; null: none. */
  error: number | null;
  hash: string;
  /** The number of the sending that registered it. */
  request: string;
  /** Whether the sending was marked as late. */
  late: boolean;
  /** Accepted records. */
  records: number;
}

/** What a query shows: parts of the answer. */
export interface StoredRecord {
  id: InvoiceId;
  /** DatosRegistroFacturacion, in the order of its parts: `name` and `system` are shown where the query asks for them. */
  name: string;
  data: string;
  system: string;
  proof: string;
  /** Numbers of the recipients. */
  recipients: string[];
  chain: string;
  reference: string | undefined;
  presenter: string;
}

export type Invoice = Document<InvoiceDetail>;

/** Registered invoices of one account, in order of their presentation by period, and found by number and day. */
export class Invoices {
  constructor(private readonly book: Book) {}

  find({ nif, number, day }: InvoiceId): Invoice | undefined {
    const key = this.keys(nif, number).find((one) => one.day === day)?.key;
    return key === undefined ? undefined : this.book.document<InvoiceDetail>(nif, key);
  }

  /** All days of one number. */
  withNumber(nif: string, number: string): Invoice[] {
    return this.keys(nif, number).flatMap(({ key }) => this.book.document<InvoiceDetail>(nif, key) ?? []);
  }

  /** `limit` invoices of a period (`2026-03`) after the key, in order of presentation. */
  ofPeriod(nif: string, period: string, after: string | undefined, limit: number): Invoice[] {
    return this.book.documents<InvoiceDetail>(nif, { from: after ?? `${period} `, below: `${period}!`, limit });
  }

  record(key: string, nif: string): StoredRecord | undefined {
    return this.book.value<StoredRecord>('record', `${nif}|${key}`);
  }

  /** Registers an accepted record; `operated`: the day of operation, `yyyy-mm-dd`. */
  register(
    record: StoredRecord,
    {
      code,
      sha256,
      now,
      operated,
      ...detail
    }: Omit<InvoiceDetail, 'records' | 'day'> & { code: string; sha256: string; now: number; operated: string | undefined },
  ): void {
    const { nif, number, day } = record.id;
    const known = this.find(record.id);
    const key = known?.key ?? this.newKey(record.id, operated);
    const records = (known?.detail.records ?? 0) + 1;
    this.book.register({ tax_id: nif, key, number, code, sha256, at: iso(now), detail: { day, ...detail, records } });
    this.book.setValue('record', `${nif}|${key}`, record);
  }

  /** Another record that is said to be registered under a number, for a script. */
  setForeign(record: StoredRecord): void {
    this.book.setValue('foreign', `${record.id.nif}|${record.id.number}`, record);
  }

  foreign(nif: string, number: string): StoredRecord | undefined {
    return this.book.value<StoredRecord>('foreign', `${nif}|${number}`);
  }

  private newKey(id: InvoiceId, operated: string | undefined): string {
    const next = (this.book.value<number>('count', id.nif) ?? 0) + 1;
    this.book.setValue('count', id.nif, next);
    const key = `${(operated ?? dayOf(id.day) ?? '').slice(0, 7)} ${String(next).padStart(12, '0')}`;
    this.book.setValue('number', `${id.nif}|${id.number}`, [...this.keys(id.nif, id.number), { day: id.day, key }]);
    return key;
  }

  private keys(nif: string, number: string): { day: string; key: string }[] {
    return this.book.value<{ day: string; key: string }[]>('number', `${nif}|${number}`) ?? [];
  }
}
