import { en } from './en.ts';
import { type Key, named, t } from './t.ts';

const LINE = /^items\.(\d+)(?:\.(\w+))?/;

/** A field that the interface names, in the words of the pages: of an invoice, of one of its lines, or of the issuer. */
export function fieldName(field: string): string {
  const [, n, ofLine] = LINE.exec(field) ?? [];
  if (n !== undefined) {
    const line = t('form.line', { n: Number(n) + 1 });
    return ofLine === undefined ? line : `${line}, ${named('field', ofLine)}`;
  }
  const name = field.replace(/^issuer\./, '');
  const key = ['form.field', 'missing'].map((prefix) => `${prefix}.${name}`).find((one) => one in en);
  return key === undefined ? named('field', name) : t(key as Key);
}

/** A message that begins with its field, as that of a job does: `customer_id: is required`. */
export const withFieldName = (message: string): string => message.replace(/^[a-z]\w*(?:\.\w+)*(?=: )/, fieldName);
