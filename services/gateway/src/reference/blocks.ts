/** A page as a list of blocks, which is written as HTML (`to-html.ts`) and as Markdown (`site.ts`). Texts are Markdown; links between pages are `/docs…`. */
export type Block =
  | { kind: 'heading'; level: 2 | 3 | 4; text: string; id: string }
  | { kind: 'text'; text: string }
  | { kind: 'table'; head: readonly string[]; rows: readonly (readonly string[])[] }
  | { kind: 'code'; language: string; code: string }
  /** The same in several languages. `id` is unique on the page. */
  | { kind: 'samples'; id: string; samples: readonly Sample[] }
  | { kind: 'fields'; fields: readonly Field[] }
  | { kind: 'details'; summary: string; blocks: readonly Block[] };

export interface Sample {
  id: string;
  label: string;
  fence: string;
  code: string;
}

export interface Field {
  /** Anchor on the page. */
  id: string;
  name: string;
  /** Type with its bounds. */
  type: string;
  isRequired: boolean;
  about: string;
  /** Of the object, or of the objects in the list. */
  fields: readonly Field[];
}

export interface PageContent {
  /** Below `/docs`: '' or '/invoices'. */
  path: string;
  title: string;
  /** A sentence for lists of pages. */
  about: string;
  blocks: readonly Block[];
}
