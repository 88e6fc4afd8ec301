import { emptyLine, type FormValues, type Head, type LineValues } from './values.ts';

export type Change =
  | { change: 'head'; to: Partial<Head> }
  | { change: 'line'; key: number; to: Partial<LineValues> }
  | { change: 'add' }
  | { change: 'remove'; key: number }
  | { change: 'all'; to: FormValues };

/** The form after a change. What did not change stays the same object, so that its part of the page is not drawn again. */
export function changed(values: FormValues, change: Change): FormValues {
  const { head, lines } = values;
  switch (change.change) {
    case 'head':
      return { head: { ...head, ...change.to }, lines };
    case 'line':
      return { head, lines: lines.map((line) => (line.key === change.key ? { ...line, ...change.to } : line)) };
    case 'add':
      return { head, lines: [...lines, emptyLine(nextKey(lines))] };
    case 'remove': {
      const left = lines.filter(({ key }) => key !== change.key);
      return { head, lines: left.length > 0 ? left : [emptyLine(nextKey(lines))] };
    }
    case 'all':
      return change.to;
  }
}

const nextKey = (lines: readonly LineValues[]): number => lines.reduce((most, { key }) => Math.max(most, key), -1) + 1;
