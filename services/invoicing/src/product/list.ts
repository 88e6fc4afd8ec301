import type { Filter } from '@svc/document-store';
import { rowOf, type Projection, type Row } from '@svc/event-store';
import { foldCase } from '@svc/kernel';
import { oneOf } from '@svc/service';
import { evolve } from './domain/evolve.ts';
import type { ProductState } from './domain/state.ts';
import { isWhole, productEvents } from './products.ts';
import { productResource } from './resource.ts';
import { nameTerms, type Terms } from '../terms/terms.ts';

export interface ProductRow extends Row {
  deleted: boolean;
  active: boolean;
  sku: string | null;
  /** The folded name, for sorting. */
  name_key: string;
}

const tenant = ['account', 'env'];

export const productsProjection: Projection<ProductRow, ProductState | null> = {
  name: 'products_v3',
  category: 'product',
  ordinals: false,
  indexes: [
    { fields: [...tenant, 'deleted', 'created_at', '_id'] },
    { fields: [...tenant, 'deleted', 'active', 'created_at', '_id'] },
    { fields: [...tenant, 'deleted', 'name_key', '_id'] },
    { fields: [...tenant, 'sku'] },
  ],
  newFields: ['name_key'], // until 0.3: folded since 0.2
  initialState: null,
  evolve: (state, recorded) => evolve(state, productEvents.decode(recorded)),
  isWhole,
  row(state, recorded) {
    if (state === null) return undefined;
    const { created_at, active, sku, name } = state;
    return { ...rowOf(recorded), created_at, deleted: state.deleted_at !== null, active, sku, name_key: foldCase(name) };
  },
  resource: (state) => productResource(state as ProductState),
};

export interface ProductQuery {
  sku?: string[];
  active?: boolean;
}

/** Deleted products are in no list. */
export const productFilter = ({ sku, active }: ProductQuery): Filter => ({
  deleted: false,
  ...(sku === undefined ? {} : { sku: oneOf(sku) }),
  ...(active === undefined ? {} : { active }),
});

export const productTerms = ({ name }: ProductState): Terms => nameTerms('product', name);
