import { createHash } from 'node:crypto';
import { CustomerResource } from '@svc/contracts/customer/resource';
import { InvoiceResource } from '@svc/contracts/invoice/resource';
import { ProductResource } from '@svc/contracts/product/resource';
import { ReceiptResource } from '@svc/contracts/receipt/resource';
import { schemaOf } from '@svc/contracts/schema/json-schema';
import { servedProjections } from '../registrations.ts';

const resources = { invoices: InvoiceResource, receipts: ReceiptResource, customers: CustomerResource, products: ProductResource };
/** The shape of the resources in each read model, by the collection's name. One that is here is never changed. */
const shapes: Record<string, string> = {
  invoices_v5: 'd7417b27496b0b70',
  invoices_v6: '3a9e5fb3b512850d',
  invoices_v7: 'bc7117f75e49a08f',
  invoices_v8: '1fb1f9910f594a10',
  invoices_v9: 'c1a2095fd86cf845',
  receipts_v3: 'f8d704aeae21cdad',
  receipts_v4: '7fa8c7d51e76e90c',
  receipts_v5: '28c3724b9d68de7b',
  receipts_v6: '87676175c0601c6d',
  receipts_v7: '87676175c0601c6d',
  receipts_v8: '04f9af95c388ac9b',
  receipts_v9: '04f9af95c388ac9b',
  customers_v2: 'de876c997927e006',
  customers_v3: '4cf2fcff8e0b7fe5',
  customers_v4: 'a1b339c2901a19bb',
  products_v1: 'b89308e0a9699c93',
  products_v2: 'b89308e0a9699c93',
  products_v3: '20f0096750be4723',
};

/** What describes fields, or is a name in the published document: it changes no row. */
const NOT_SHAPE = new Set(['description', 'example', 'vocabulary']);
/** Fields, types and formats. */
const shapeOf = (schema: unknown): string =>
  createHash('sha256')
    .update(JSON.stringify(schema, (key, value: unknown) => (NOT_SHAPE.has(key) ? undefined : value)))
    .digest('hex')
    .slice(0, 16);

test.each(servedProjections.map(({ name }) => name))('%s holds resources of the shape that its name stands for', (name) => {
  const kind = name.replace(/_v\d+$/, '') as keyof typeof resources;
  // Another shape is another collection: give the projection the next name, which is built beside the old one, and add its shape.
  expect([name, shapeOf(schemaOf(resources[kind]))]).toEqual([name, shapes[name]]);
});
