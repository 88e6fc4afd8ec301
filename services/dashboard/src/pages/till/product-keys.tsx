import { useQuery } from '@tanstack/react-query';
import type { Resource } from '../../api/types.ts';
import { useIssuerBasics } from '../../documents/issuer.ts';
import { t } from '../../texts/t.ts';
import { Failure } from '../../ui/failure.tsx';
import { Panel } from '../../ui/panel.tsx';
import classes from './basket.module.css';
import { priceOf, useSellable } from './sellable.ts';

interface ProductKeysProps {
  press: (product: Resource<'Product'>) => void;
  isClosed: boolean;
}

/** Products to be pressed, for a screen that is touched. */
export function ProductKeys({ press, isClosed }: ProductKeysProps) {
  const { key, read } = useSellable();
  const { data: issuer } = useIssuerBasics();
  const { data, error, refetch } = useQuery({ queryKey: [...key, ''], queryFn: ({ signal }) => read('', signal) });
  if (data?.length === 0) return null;
  return (
    <Panel title={t('till.products')}>
      {error && <Failure error={error} again={() => void refetch()} />}
      <div className={classes['keys']}>
        {data?.map((product) => (
          <button key={product.id} type="button" className={classes['key']} disabled={isClosed} onClick={() => press(product)}>
            <bdi className={classes['name']}>{product.name}</bdi>
            <span className={classes['price']}>{priceOf(product, issuer?.currency)}</span>
          </button>
        ))}
      </div>
    </Panel>
  );
}
