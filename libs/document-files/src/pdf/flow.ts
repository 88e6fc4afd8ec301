import { lineHeight, type Sheet, type Style } from './sheet.ts';

/** A4, in points. */
const WIDTH = 595.28;
export const HEIGHT = 841.89;
export const [LEFT, RIGHT, TOP, BOTTOM] = [42, WIDTH - 42, 40, HEIGHT - 62];
export const body: Style = { size: 8.5 };
export const strong: Style = { size: 8.5, bold: true };
export const small: Style = { size: 7, color: '#555555' };
export const label: Style = { size: 7.5, color: '#555555' };
export const GAP = 4;

/** Right edges of the columns of numbers; the description is left of them. */
export const columns = { quantity: 322, price: 394, tax: 466, amount: RIGHT } as const;

/** Where the next thing goes, from page to page. */
export interface Flow {
  y: number;
  /** From 1 on. */
  page: number;
  newPage(): void;
  /** Goes to a new page where the rest of this one is lower than that. */
  fit(height: number): void;
  /** A text over the whole width, from line to line. */
  text(text: string, style: Style): void;
}

/** The first page of a document. `marks` stand across every page: what the document is not. */
export function flowOn(sheet: Sheet, marks: readonly string[]): Flow {
  const mark = marks.join(' · ');
  const flow: Flow = {
    y: TOP,
    page: 0,
    newPage() {
      flow.page += 1;
      sheet.addPage(WIDTH, HEIGHT);
      if (mark) sheet.mark(mark, WIDTH, HEIGHT);
      flow.y = TOP;
    },
    fit: (height) => void (flow.y + height > BOTTOM && flow.newPage()),
    text(text, style) {
      for (const line of sheet.wrap(text, RIGHT - LEFT, style)) {
        flow.fit(lineHeight(style));
        sheet.write(line, LEFT, flow.y, style);
        flow.y += lineHeight(style);
      }
    },
  };
  flow.newPage();
  return flow;
}
