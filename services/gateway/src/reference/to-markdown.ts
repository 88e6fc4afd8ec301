import type { Block, Field, PageContent } from './blocks.ts';

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
