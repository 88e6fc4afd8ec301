import type { Resource } from '../api/types.ts';
import { t } from '../texts/t.ts';
import type { Document } from './documents.ts';
import { customerName } from './documents.ts';
import classes from './parties.module.css';

/** From whom to whom, as they stand on the document. */
export function Parties({ document }: { document: Document }) {
  const { customer, issuer } = document;
  return (
    <div className={classes['parties']}>
      {document.customer_id !== null && (
        <Party title={t('parties.customer')} name={customerName(document)} lines={customer ? linesOf(customer) : []} />
      )}
      {issuer && <Party title={t('parties.issuer')} name={issuer.legal_name} lines={linesOf(issuer)} />}
    </div>
  );
}

function linesOf({ tax_id: taxId, address, ...rest }: Resource<'FrozenCustomer'> | Resource<'FrozenIssuer'>): string[] {
  const city = [address?.postal_code, address?.city].filter(Boolean).join(' ');
  const lines = [address?.line1, address?.line2, city, address?.region, address?.country, 'email' in rest ? rest.email : null];
  return [...lines, taxId && t('parties.taxId', { id: taxId })].filter((line): line is string => Boolean(line));
}

const Party = ({ title, name, lines }: { title: string; name: string | null; lines: readonly string[] }) => (
  <div className={classes['party']}>
    <p className={classes['title']}>{title}</p>
    <p className={classes['name']}>{name ?? t('parties.unnamed')}</p>
    {lines.map((line) => (
      <p key={line}>{line}</p>
    ))}
  </div>
);
