import { answered } from '@svc/client/console';
import { useState } from 'react';
import { useConsole } from '../../api/consoles.ts';
import { t } from '../../texts/t.ts';
import { changedFields, createChange } from '../../ui/change.ts';
import { ProductForm } from './product-form.tsx';
import { type Product, productOf, type ProductValues, valuesOf } from './products.ts';

interface ChangeProductProps {
  product: Product;
  done: (now: Product) => void;
  cancel: () => void;
}

/** The form of a product as it is when it is opened. */
export function ChangeProduct({ product, done, cancel }: ChangeProductProps) {
  const { console } = useConsole();
  const [change] = useState(() => {
    const params = { path: { id: product.id } };
    return createChange<Product, ProductValues>({
      opened: product,
      valuesOf,
      read: () => answered(console.GET('/console/v1/products/{id}', { params })),
      write({ before, values, headers }) {
        const body = changedFields(productOf(valuesOf(before)), productOf(values));
        return answered(console.PATCH('/console/v1/products/{id}', { params, headers, body }));
      },
    });
  });
  return <ProductForm initial={change.initial} save={change.save} done={done} button={t('action.save')} cancel={cancel} />;
}
