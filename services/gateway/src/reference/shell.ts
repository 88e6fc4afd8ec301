import { createHash } from 'node:crypto';
import { Html, html } from './html.ts';
import { STYLE } from './style.ts';

export interface ShellOptions {
  title: string;
  body: Html;
  /** Links beside the page. None: the page stands alone, without search. */
  links?: readonly Link[];
  /** The same page as Markdown. */
  twin?: string;
}

export interface Link {
  href: string;
  text: string;
  isCurrent: boolean;
}

/** A whole page. The contents follow the page in the document, and stand beside it where the window is wide enough. */
export const shell = ({ title, body, links = [], twin }: ShellOptions): string =>
  html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title}</title>
        ${twin === undefined ? '' : html`<link rel="alternate" type="text/markdown" href="${twin}" /> `} ${styles}
        ${links.length === 0 ? '' : html`<script src="/docs/search.js" defer></script> `}
      </head>
      <body>
        ${links.length === 0 ? '' : header}
        <main id="main">
          <h1>${title}</h1>
          ${body} ${twin === undefined ? '' : html`<footer><a href="${twin}">This page as Markdown</a></footer>`}
        </main>
        ${links.length === 0 ? '' : contents(links)}
      </body>
    </html> `.text;

/** Byte for byte what the policy has the hash of. */
const styles = new Html(`<style>${STYLE}</style>`);

const header = html`<a class="skip" href="#main">To the text</a>
  <header>
    <a href="/docs">Reference</a> <a href="#contents" class="narrow">Contents</a> <a href="/openapi.json">OpenAPI</a>
    <form role="search" hidden>
      <label class="unseen" for="q">Search fields, parameters, events, errors</label
      ><input id="q" type="search" placeholder="Search: field, event, error" autocomplete="off" /><output></output>
      <ul></ul>
    </form>
  </header>`;

const contents = (links: readonly Link[]): Html =>
  html`<nav id="contents" aria-label="Contents">
    <ul>
      ${links.map(
        ({ href, text, isCurrent }) => html`<li><a href="${href}" ${isCurrent ? html` aria-current="page"` : ''}>${text}</a></li>`,
      )}
    </ul>
  </nav>`;

/** Styles by their hash alone, and this origin’s script and search index. Nothing comes from elsewhere. */
export const pagePolicy = [
  "default-src 'none'",
  "script-src 'self'",
  `style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`,
  "connect-src 'self'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
].join('; ');
