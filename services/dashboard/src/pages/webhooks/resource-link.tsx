import { CustomerLink } from '../../customers/customer-link.tsx';
import { DocumentLink } from '../../documents/document-link.tsx';
import type { Kind } from '../../documents/documents.ts';

/** Kinds of documents by the prefix of their ids. */
const kinds: Record<string, Kind> = { inv: 'invoice', rcp: 'receipt' };

/** The way to what an event is about, by its number or name. */
export function ResourceLink({ id }: { id: string }) {
  const prefix = id.split('_')[0] ?? '';
  const kind = kinds[prefix];
  if (kind) return <DocumentLink kind={kind} id={id} />;
  return prefix === 'cust' ? <CustomerLink id={id} /> : <code>{id}</code>;
}
