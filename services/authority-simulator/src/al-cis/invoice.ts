import { createHash, verify } from 'node:crypto';
import { iso, millisOf } from '@svc/kernel';
import { at, type Element } from '../xml/element.ts';
import { canonical } from '../xml/signature.ts';
import type { Book } from '../wires/book.ts';
import { keysOf } from '../pki/taxpayer-keys.ts';
import { controlRefusal } from './controls.ts';
import { attribute, isTrue, parts } from './dialect.ts';
import type { Judging } from './judging.ts';
import { published, refusal, type Refusal } from './refusal.ts';
import { listRefusal, mayUse, taxpayerOf, taxpayerRefusal } from './registry.ts';
import { windowRefusal } from './times.ts';
import { uuidOf } from './uuid.ts';

/** What is kept of a registered invoice. */
interface InvoiceDetail {
  iic: string;
  issued: string;
  sequence: string;
  ordinal: number;
  late: string | null;
}

const YEARS = 10 * 366 * 86_400_000;

/** Registers an invoice; returns its FIC. */
export function registerInvoice(judging: Judging): { code: string } | Refusal {
  const { message, dialect, taxId, now, book } = judging;
  const invoice = message.part;
  const early =
    codeRefusal(invoice, judging) ??
    windowRefusal({ issued: attribute(invoice, 'IssueDateTime'), sent: message.sent, late: message.late }, now);
  if (early) return early;
  const [number, iic] = [attribute(invoice, 'InvNum'), attribute(invoice, 'IIC').toUpperCase()];
  const known = book.document<InvoiceDetail>(taxId, number);
  if (known) return known.detail.iic === iic && judging.resends === 'same' ? { code: known.code } : published(58);
  const refused =
    controlRefusal(invoice, dialect) ??
    registryRefusal(invoice, judging) ??
    depositRefusal(invoice, book) ??
    originalRefusal(invoice, judging);
  if (refused) return refused;
  const sha256 = createHash('sha256').update(canonical(invoice.node)).digest('hex');
  const code = uuidOf(`${dialect.authority} ${taxId} ${number} ${sha256}`);
  const detail: InvoiceDetail = {
    iic,
    issued: attribute(invoice, 'IssueDateTime'),
    sequence: dialect.sequenceOf(invoice),
    ordinal: Number(parts.ordinal(invoice)),
    late: message.late ?? null,
  };
  book.register({ tax_id: taxId, key: number, number, code, sha256, at: iso(now), detail });
  book.setValue('iic', iic, { taxId, issued: detail.issued });
  return { code };
}

/**
 * The issuer's code: the MD5 of the signature over taxpayer, time, ordinal, unit, till, software and total as they stand in the message. The
 * specification has no code for a wrong one: 11 is an assumption.
 */
function codeRefusal(invoice: Element, { taxId, registry }: Judging): Refusal | undefined {
  const signature = Buffer.from(attribute(invoice, 'IICSignature'), 'hex');
  const code = createHash('md5').update(signature).digest('hex');
  if (code !== attribute(invoice, 'IIC').toLowerCase()) return refusal(11, 'IIC is not the digest of IICSignature.');
  const signed = [
    taxId,
    ...['IssueDateTime', 'InvOrdNum', 'BusinUnitCode', 'TCRCode', 'SoftCode', 'TotPrice'].map((name) => attribute(invoice, name)),
  ].join('|');
  return keysOf(registry, taxId).some((key) => verify('sha256', Buffer.from(signed), key, signature))
    ? undefined
    : refusal(11, 'IICSignature is not the signature of the invoice by a key of the issuer.');
}

function registryRefusal(invoice: Element, { taxId, registry, book }: Judging): Refusal | undefined {
  const taxpayer = taxpayerOf(registry, taxId);
  const [till, day] = [attribute(invoice, 'TCRCode'), attribute(invoice, 'IssueDateTime').slice(0, 10)];
  return (
    taxpayerRefusal(taxpayer) ??
    (taxpayer.isInVat !== undefined && taxpayer.isInVat !== isTrue(attribute(invoice, 'IsIssuerInVAT')) ? published(44) : undefined) ??
    listRefusal(taxpayer.units, attribute(invoice, 'BusinUnitCode'), 41) ??
    listRefusal(taxpayer.software, attribute(invoice, 'SoftCode'), 42) ??
    (till === '' || mayUse(book, till, { taxId, day }) ? undefined : published(53))
  );
}

/** A cash invoice needs the opening deposit of its till and day. The specification has no code for it: 11 is an assumption. */
function depositRefusal(invoice: Element, book: Book): Refusal | undefined {
  if (!parts.isCash(invoice)) return undefined;
  const day = attribute(invoice, 'IssueDateTime').slice(0, 10);
  return book.value('deposit', `${parts.till(invoice)} ${day}`) === undefined
    ? refusal(11, 'There is no cash deposit INITIAL of the TCR on the day of the invoice.')
    : undefined;
}

/** The invoices that are corrected must be known by their codes and times; an unknown code is refused by 11, an assumption. */
function originalRefusal(invoice: Element, { taxId, book, now }: Judging): Refusal | undefined {
  const references = [
    ...['CorrectiveInv', 'BadDebtInv']
      .flatMap((name) => at(invoice, name) ?? [])
      .map((one) => [attribute(one, 'IICRef'), attribute(one, 'IssueDateTime')]),
    ...['SumInvIICRefs', 'IICRefs']
      .flatMap((name) => at(invoice, name)?.children ?? [])
      .map((one) => [attribute(one, 'IIC'), attribute(one, 'IssueDateTime')]),
  ];
  for (const [iic = '', issued = ''] of references) {
    const at = millisOf(issued);
    if (at > now || at < now - YEARS) return published(61);
    const known = book.value<{ taxId: string; issued: string }>('iic', iic.toUpperCase());
    if (known?.taxId !== taxId) return refusal(11, 'The original invoice is not registered.');
    if (known.issued !== issued) return published(61);
  }
  return undefined;
}
