import { addressLines, taxIdsOf, type Parties } from './document.ts';
import { body, BOTTOM, HEIGHT, label, LEFT, RIGHT, small, type Flow } from './flow.ts';
import { lineHeight, type Sheet, type Style } from './sheet.ts';
import type { Words } from './words.ts';

export type Texts = [string | null | undefined, Style][];

type ShownIssuer = Pick<NonNullable<Parties['issuer']>, 'legal_name' | 'trade_name' | 'tax_id' | 'address'>;
type ShownCustomer = Pick<NonNullable<Parties['customer']>, 'name' | 'tax_id' | 'tax_ids' | 'email' | 'address'>;

export interface Head {
  issuer: ShownIssuer | null;
  customer: ShownCustomer | null;
  /** What the document is: at the right of the issuer. */
  title: Texts;
  words: Words;
}

/** `Number: INV-1`; null without a value. */
export const named = (name: string, value: string | null | undefined): string | null => (value ? `${name}: ${value}` : null);

const plain = (lines: string[]): Texts => lines.map((line) => [line, body]);

/** The issuer beside the title, and below them the customer. */
export function drawHead(sheet: Sheet, flow: Flow, { issuer, customer, title, words }: Head): void {
  const half = (RIGHT - LEFT) / 2 - 12;
  const linesOf = (texts: Texts): [string, Style][] =>
    texts.flatMap(([text, style]) => (text ? sheet.wrap(text, half, style).map((line): [string, Style] => [line, style]) : []));
  /** From `flow.y` on, over pages where it is longer than one: names and addresses are printed whole. */
  const column = (texts: Texts, x: number): void => {
    for (const [line, style] of linesOf(texts)) {
      flow.fit(lineHeight(style));
      sheet.write(line, x, flow.y, style);
      flow.y += lineHeight(style);
    }
  };
  const middle = LEFT + (RIGHT - LEFT) / 2 + 12;
  const seller: Texts = [
    [issuer?.legal_name ?? issuer?.trade_name, { size: 12, bold: true }],
    [issuer?.legal_name ? issuer.trade_name : null, body],
    ...plain(addressLines(issuer)),
    [named(words.taxId, issuer?.tax_id), body],
  ];
  const [top, page] = [flow.y, flow.page];
  const isLonger = top + linesOf(seller).reduce((all, [, style]) => all + lineHeight(style), 0) > BOTTOM;
  const besides: [Texts, number][] = [
    [seller, LEFT],
    [title, middle],
  ];
  let below = top;
  // The longer one last: what follows it stands on its last page.
  for (const [texts, x] of isLonger ? besides.reverse() : besides) {
    flow.y = top;
    column(texts, x);
    below = flow.page === page ? Math.max(below, flow.y) : flow.y;
  }
  flow.y = below + 14;
  column(
    [
      [words.customer, label],
      [customer?.name, { size: 10, bold: true }],
      ...plain(addressLines(customer)),
      [named(words.taxId, taxIdsOf(customer)), body],
      [customer?.email, body],
    ],
    middle,
  );
  flow.y += 18;
}

/** A text and the number of the page at the bottom of every page, when all pages are there. */
export function drawFooter(sheet: Sheet, { page }: Words, texts: (string | null | undefined)[]): void {
  const footer = texts.filter(Boolean).join(' · ');
  sheet.onEachPage((n, of) => {
    const y = HEIGHT - 44;
    sheet.rule(LEFT, RIGHT, y - 4);
    sheet.write(sheet.wrap(footer, RIGHT - LEFT - 90, small)[0] ?? '', LEFT, y, small);
    sheet.writeTo(page(n, of), RIGHT, y, small);
  });
}
