import type { Class } from '../class.ts';
import { nameOf } from '../class.ts';
import { About, AnyObjects } from '../decorators/index.ts';
import { CreateCustomer } from './customer.ts';
import { CreateInvoice } from './invoice.ts';
import { CreateProduct } from './product.ts';

const elements = new WeakMap<Class, Class>();

/** Up to 100 bodies that are each judged, done or refused by themselves: see `problemsOf`. */
function batchOf<T extends object>(element: Class<T>): Class<{ requests: Record<string, unknown>[] }> {
  class Batch {
    @About('Up to 100 bodies, each done or refused by itself.') @AnyObjects({ min: 1, max: 100 }) requests: Record<string, unknown>[];
  }
  Object.defineProperty(Batch, 'name', { value: `${nameOf(element)}Batch` });
  elements.set(Batch, element);
  return Batch;
}

/** What each of the `requests` of a batch should be. */
export const elementOf = (batch: Class): Class | undefined => elements.get(batch);

export const CreateInvoices = batchOf(CreateInvoice);
export type CreateInvoices = InstanceType<typeof CreateInvoices>;
export const CreateCustomers = batchOf(CreateCustomer);
export type CreateCustomers = InstanceType<typeof CreateCustomers>;
export const CreateProducts = batchOf(CreateProduct);
export type CreateProducts = InstanceType<typeof CreateProducts>;
