import { showMoney } from '../format/numbers.ts';
import { customerName, type Document } from './documents.ts';

/** Whom it is for, and how much. Each stands alone: marks of writing direction in a name do not turn the amount around. */
export function Summary({ document }: { document: Document }) {
  const name = customerName(document);
  return (
    <>
      {name !== null && (
        <>
          <bdi>{name}</bdi> ·{' '}
        </>
      )}
      <bdi>{showMoney(document.total, document.currency)}</bdi>
    </>
  );
}
