import { Marked } from 'marked';
import { Html, html } from './html.ts';

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

export const markdown = (text: string): Html =>
  new Html(marked.parse(text, { async: false }).replaceAll('<table>', WIDE).replaceAll('</table>', '</table></div>'));
const WIDE = '<div class="wide" role="region" aria-label="Table" tabindex="0"><table>';

/** Without a paragraph around it. */
export const inline = (text: string): Html => new Html(marked.parseInline(text, { async: false }));

/** Scrolls by itself, also by keyboard. */
export const codeBlock = (language: string, code: string): Html =>
  html`<pre tabindex="0"><code${language ? html` class="${language}"` : ''}>${code}</code></pre>`;
