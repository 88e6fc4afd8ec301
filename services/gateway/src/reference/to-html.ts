import type { Block, Field, Sample } from './blocks.ts';
import { html, Html } from './html.ts';
import { Marked } from 'marked';

export const blocksHtml = (blocks: readonly Block[]): Html => html`${blocks.map(blockHtml)}`;

function blockHtml(block: Block): Html {
  switch (block.kind) {
    case 'heading':
      return heading(block);
    case 'text':
      return markdown(block.text);
    case 'table':
      return table(block.head, block.rows);
    case 'code':
      return codeBlock(block.language, block.code);
    case 'samples':
      return tabs(block.id, block.samples);
    case 'fields':
      return html`<dl>${block.fields.map(fieldHtml)}</dl>`;
    case 'details':
      return html`<details>
        <summary>${inline(block.summary)}</summary>
        ${blocksHtml(block.blocks)}
      </details>`;
    default:
      return block satisfies never;
  }
}

function heading({ level, text, id }: Extract<Block, { kind: 'heading' }>): Html {
  const inside = html`<a href="#${id}">${inline(text)}</a>`;
  if (level === 2) return html`<h2 id="${id}">${inside}</h2>`;
  return level === 3 ? html`<h3 id="${id}">${inside}</h3>` : html`<h4 id="${id}">${inside}</h4>`;
}

/** On narrow screens a row stands below the other, each cell with its head. */
const table = (head: readonly string[], rows: readonly (readonly string[])[]): Html =>
  html`<div class="wide" role="region" aria-label="${head.join(', ')}" tabindex="0">
    <table class="rows" role="table">
      <thead>
        <tr role="row">
          ${head.map((cell) => html`<th scope="col">${inline(cell)}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          (row) =>
            html`<tr role="row">
              ${row.map((cell, n) => html`<td role="cell" data-head="${head[n]}">${inline(cell)}</td>`)}
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`;

/** Tabs of radio buttons: they work without script and by the arrow keys. */
const tabs = (id: string, samples: readonly Sample[]): Html =>
  html`<fieldset class="tabs">
    <legend class="unseen">Language</legend>
    ${samples.map(
      (sample, n) =>
        html`<input type="radio" name="${id}" id="${id}-${sample.id}" data-language="${sample.id}" ${n === 0 ? html` checked` : ''} /><label
            for="${id}-${sample.id}"
            >${sample.label}</label
          >`,
    )}${samples.map(({ fence, code }) => codeBlock(fence, code))}
  </fieldset>`;

const fieldHtml = ({ id, name, type, isRequired, about, fields }: Field): Html =>
  html`<dt id="${id}"><code>${name}</code> <span>${inline(type)}${isRequired ? html`, <strong>required</strong>` : ''}</span></dt>
    <dd>
      ${inline(about)}${
        fields.length > 0
          ? html`<details>
              <summary>Fields of <code>${name}</code></summary>
              <dl>${fields.map(fieldHtml)}</dl>
            </details>`
          : ''
      }
    </dd>`;

/** HTML inside Markdown is shown as text: what the document says is never markup. Tables scroll by themselves; headings of a text stand below those of the page. */
const marked = new Marked({
  // An address in a text is an example, no link.
  tokenizer: { url: () => undefined },
  renderer: {
    html: ({ text }) => html`${text}`.text,
    heading({ tokens, depth }) {
      const level = Math.min(6, depth + 1);
      return `<h${level}>${this.parser.parseInline(tokens)}</h${level}>\n`;
    },
    code: ({ text, lang }) => codeBlock(lang ?? '', text).text,
    image: ({ text }) => html`${text}`.text,
  },
});

const markdown = (text: string): Html =>
  new Html(marked.parse(text, { async: false }).replaceAll('<table>', WIDE).replaceAll('</table>', '</table></div>'));
const WIDE = '<div class="wide" role="region" aria-label="Table" tabindex="0"><table>';

/** Without a paragraph around it. */
const inline = (text: string): Html => new Html(marked.parseInline(text, { async: false }));

/** Scrolls by itself, also by keyboard. */
const codeBlock = (language: string, code: string): Html =>
  html`<pre tabindex="0"><code${language ? html` class="${language}"` : ''}>${code}</code></pre>`;
