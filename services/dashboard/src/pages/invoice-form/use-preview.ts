import { useDebouncedValue } from '@mantine/hooks';
import { answered } from '@svc/client/console';
import { useEffect, useMemo, useState } from 'react';
import { useConsole } from '../../api/consoles.ts';
import type { Resource } from '../../api/types.ts';
import type { Decimal } from '../../format/numbers.ts';
import { bodyOf, type FormValues, type LineValues } from './values.ts';

const TYPED_MS = 350;

export interface Preview {
  /** The last that could be calculated; undefined before the first. */
  preview?: Resource<'Preview'>;
  /** Net amounts by the key of the line. */
  amounts: ReadonlyMap<number, Decimal>;
  /** Why the present values cannot be calculated, and the values. */
  problem?: { error: Error; values: FormValues };
}

const nothing: Preview = { amounts: new Map() };
const isPriced = ({ product_id: product, unit_price: price }: LineValues): boolean => product !== null || price.trim() !== '';

/** What the form adds up to, by the interface, a short time after each change. Lines without a price are not counted yet. `explain`: with each step. */
export function usePreview(values: FormValues, explain: boolean): Preview {
  const { console } = useConsole();
  const [settled] = useDebouncedValue(values, TYPED_MS);
  const asked = useMemo(() => ({ head: settled.head, lines: settled.lines.filter(isPriced) }), [settled]);
  const [shown, setShown] = useState(nothing);
  useEffect(() => {
    if (asked.lines.length === 0) return undefined;
    const end = new AbortController();
    const options = { params: { query: { explain } }, body: bodyOf(asked), signal: end.signal };
    answered(console.POST('/console/v1/invoices/preview', options)).then(
      (preview) => setShown({ preview, amounts: new Map(preview.items.map(({ amount }, n) => [asked.lines[n]?.key ?? -1, amount])) }),
      (error: Error) => {
        if (!end.signal.aborted) setShown((before) => ({ ...before, problem: { error, values: asked } }));
      },
    );
    return () => end.abort();
  }, [console, asked, explain]);
  return asked.lines.length === 0 ? nothing : shown;
}
