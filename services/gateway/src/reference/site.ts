import type { Block, Field, PageContent } from './blocks.ts';
import { errorPages } from './error-pages.ts';
import { html } from './html.ts';
import { type OpenApi, operationsOf, originOf } from './openapi.ts';
import { homesOf, pathOf, resourcePage, resourcesOf, titleOf } from './resource-page.ts';
import { searchScript } from './search-script.ts';
import { shell } from './shell.ts';
import { startPage } from './start-page.ts';
import { blocksHtml } from './to-html.ts';

export interface SiteFile {
  contentType: string;
  /** Made when it is asked for. */
  text: () => string;
}

/** The pages of the reference, in the order of their contents. */
export function pagesOf(document: OpenApi): PageContent[] {
  const resources = resourcesOf(document, operationsOf(document));
  const homes = homesOf(document, resources);
  return [startPage(document), ...resources.map((resource) => resourcePage(document, resource, homes)), ...errorPages()];
}

export const HTML = 'text/html; charset=utf-8';
const MARKDOWN = 'text/markdown; charset=utf-8';

/** Every file of the reference by its path, the pages also as Markdown. */
export function siteOf(document: OpenApi): Map<string, SiteFile> {
  const pages = pagesOf(document);
  const links = [
    { href: '/docs', text: 'Start' },
    ...resourcesOf(document, operationsOf(document)).map(({ tag }) => ({ href: `/docs${pathOf(tag)}`, text: titleOf(tag) })),
    { href: '/docs/errors', text: 'Errors' },
  ];
  const written = (content: PageContent): string => {
    const path = `/docs${content.path}`;
    const beside = links.map((link) => ({ ...link, isCurrent: link.href === path }));
    return shell({ title: content.title, body: html`${blocksHtml(content.blocks)}`, links: beside, twin: `${path}.md` });
  };
  return new Map<string, SiteFile>([
    ...pages.flatMap((content): [string, SiteFile][] => [
      [`/docs${content.path}`, { contentType: HTML, text: () => written(content) }],
      [`/docs${content.path}.md`, { contentType: MARKDOWN, text: () => pageMarkdown(content) }],
    ]),
    ['/docs/search.json', { contentType: 'application/json; charset=utf-8', text: () => JSON.stringify(searchIndex(pages)) }],
    ['/docs/search.js', { contentType: 'text/javascript; charset=utf-8', text: () => searchScript }],
    ['/llms.txt', { contentType: 'text/plain; charset=utf-8', text: () => llmsText(document, pages) }],
  ]);
}

/** The list of pages for language models, by llmstxt.org. */
function llmsText(document: OpenApi, pages: readonly PageContent[]): string {
  const origin = originOf(document);
  const line = ({ path, title, about }: PageContent): string => `- [${title}](${origin}/docs${path}.md)${about ? `: ${about}` : ''}`;
  const [start, ...others] = pages;
  const isError = ({ path }: PageContent): boolean => path.startsWith('/errors/');
  return `# ${document.info.title}

> A REST API for invoices, receipts and customers, with registration at the tax authority. JSON in, JSON out.

## Reference

${[...(start ? [start] : []), ...others.filter((one) => !isError(one))].map(line).join('\n')}
- [OpenAPI document](${origin}/openapi.json): every route, schema and event

## Optional

${others.filter(isError).map(line).join('\n')}
`;
}

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

/** The Markdown of a page. Its links lead to the Markdown of other pages. */
export const pageMarkdown = ({ title, blocks }: PageContent): string => `# ${title}\n\n${linked(blocks.map(blockMarkdown).join('\n\n'))}\n`;

const linked = (text: string): string => text.replaceAll(/\]\((\/docs[^)#]*)/g, ']($1.md');

function blockMarkdown(block: Block): string {
  switch (block.kind) {
    case 'heading':
      return `${'#'.repeat(block.level)} ${block.text}`;
    case 'text':
      return block.text;
    case 'table':
      return [block.head, block.head.map(() => '---'), ...block.rows].map((row) => `| ${row.map(cell).join(' | ')} |`).join('\n');
    case 'code':
      return fenced(block.language, block.code);
    case 'samples':
      return block.samples.map(({ label, fence, code }) => `${label}:\n\n${fenced(fence, code)}`).join('\n\n');
    case 'fields':
      return list(block.fields, '');
    case 'details':
      return `${block.summary}\n\n${block.blocks.map(blockMarkdown).join('\n\n')}`;
    default:
      return block satisfies never;
  }
}

const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ');
const fenced = (language: string, code: string): string => `\`\`\`${language}\n${code.trimEnd()}\n\`\`\``;

const list = (fields: readonly Field[], indent: string): string =>
  fields
    .map(({ name, type, isRequired, about, fields: inside }) => {
      const line = `${indent}- \`${name}\` (${type}${isRequired ? ', required' : ''})${about ? `: ${about.replaceAll('\n', ' ')}` : ''}`;
      return inside.length > 0 ? `${line}\n${list(inside, `${indent}  `)}` : line;
    })
    .join('\n');
