import { answered } from '@svc/client/console';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useConsole } from '../../api/consoles.ts';
import type { Resource } from '../../api/types.ts';
import { documentAddress, documentKey, type Invoice } from '../../documents/documents.ts';
import { named, t } from '../../texts/t.ts';
import classes from './corrected-by.module.css';

export type Corrections = Resource<'InvoiceList'>;

const MOST = 20;
/** What was voided takes nothing of the invoice any more. */
const counted = ['draft', 'submitting', 'submitted', 'failed', 'voiding'] as const;

/** The credit notes and correctives of an invoice with a number, read again with each version of it. Undefined: it can have none, or they are being read. */
export function useCorrections({ id, type, number, version }: Invoice): Corrections | undefined {
  const { console, env } = useConsole();
  const { data } = useQuery({
    queryKey: [...documentKey(env, 'invoice', id), 'corrections', version],
    queryFn({ signal }) {
      const query = { corrects: [id], status: [...counted], per_page: MOST };
      return answered(console.GET('/console/v1/invoices', { params: { query }, signal }));
    },
    enabled: type !== 'credit_note' && number !== null,
    placeholderData: keepPreviousData,
  });
  return data;
}

/** The way to each, by its number. */
export const CorrectedBy = ({ corrections: { data, meta } }: { corrections: Corrections }) => (
  <span className={classes['all']}>
    {data.map(({ id, number, type }) => (
      <Link key={id} to={documentAddress('invoice', id)}>
        {number ?? t('invoices.draftOf', { type: named('type', type) })}
      </Link>
    ))}
    {meta.total > MOST && <span>{t('fact.correctedMore', { count: meta.total - MOST })}</span>}
  </span>
);
