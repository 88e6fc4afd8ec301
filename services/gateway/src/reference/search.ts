import type { Block, Field, PageContent } from './blocks.ts';

/** What is found, what it is, and where: `['due_date', 'Invoices', '/docs/invoices#Invoice.due_date']`. */
export type Found = readonly [name: string, where: string, url: string];

/** Everything that has an anchor: pages, chapters, operations, events, parameters and fields. */
export const searchIndex = (pages: readonly PageContent[]): Found[] =>
  pages.flatMap(({ path, title, blocks }) => {
    const url = `/docs${path}`;
    return [[title, 'page', url] as const, ...blocks.flatMap((block) => inBlock(block, title, url))];
  });

function inBlock(block: Block, page: string, url: string): Found[] {
  if (block.kind === 'heading') return [[block.text.replaceAll('`', ''), page, `${url}#${block.id}`]];
  if (block.kind === 'fields') return block.fields.flatMap((field) => inField(field, page, url));
  return block.kind === 'details' ? block.blocks.flatMap((inside) => inBlock(inside, page, url)) : [];
}

const inField = ({ id, name, fields }: Field, page: string, url: string): Found[] => [
  [name, `${page}: ${id}`, `${url}#${id}`],
  ...fields.flatMap((field) => inField(field, page, url)),
];
