import { BatchOf } from '../http/batch.ts';
import { ListOf } from '../http/list.ts';
import { BATCH_LIMIT, type Rows } from '../http/route.ts';
import { CreateProduct, CreateProducts, ProductsQuery, UpdateProduct } from './requests.ts';
import { ProductResource } from './resource.ts';

export const products = {
  'GET /products': {
    permission: 'products:read',
    service: 'invoicing',
    query: ProductsQuery,
    isWhole: true,
    response: ListOf(ProductResource),
    summary: 'List products, newest first.',
  },
  'POST /products': {
    stores: 'creation',
    permission: 'products:write',
    ok: 201,
    service: 'invoicing',
    body: CreateProduct,
    response: ProductResource,
    summary: 'Create a product.',
  },
  'POST /products/batch': {
    stores: 'creation',
    permission: 'products:write',
    service: 'invoicing',
    items: 'requests',
    body: CreateProducts,
    bodyLimit: BATCH_LIMIT,
    response: BatchOf(ProductResource),
    summary: 'Create up to 100 products, each by itself.',
  },
  'GET /products/{id}': {
    permission: 'products:read',
    service: 'invoicing',
    response: ProductResource,
    summary: 'Read a product, also a deleted one.',
  },
  'PATCH /products/{id}': {
    stores: 'change',
    permission: 'products:write',
    service: 'invoicing',
    body: UpdateProduct,
    response: ProductResource,
    summary: 'Change a product; lines made from it stay as they are.',
  },
  'DELETE /products/{id}': { permission: 'products:write', service: 'invoicing', response: ProductResource, summary: 'Delete a product.' },
} satisfies Rows;
