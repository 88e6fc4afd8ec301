import { BatchOf } from '../http/batch.ts';
import { ListOf } from '../http/list.ts';
import { EmptyBody } from '../http/none.ts';
import { BATCH_LIMIT, type Rows } from '../http/route.ts';
import { CreateCustomer, CreateCustomers, CustomersQuery, UpdateCustomer } from './requests.ts';
import { CustomerResource } from './resource.ts';

export const customers = {
  'GET /customers': {
    permission: 'customers:read',
    service: 'invoicing',
    query: CustomersQuery,
    isWhole: true,
    response: ListOf(CustomerResource),
    summary: 'List customers, newest first.',
  },
  'POST /customers': {
    stores: 'creation',
    permission: 'customers:write',
    ok: 201,
    service: 'invoicing',
    body: CreateCustomer,
    response: CustomerResource,
    summary: 'Create a customer.',
  },
  'POST /customers/batch': {
    stores: 'creation',
    permission: 'customers:write',
    service: 'invoicing',
    items: 'requests',
    body: CreateCustomers,
    bodyLimit: BATCH_LIMIT,
    response: BatchOf(CustomerResource),
    summary: 'Create up to 100 customers, each by itself.',
  },
  'GET /customers/{id}': {
    permission: 'customers:read',
    service: 'invoicing',
    response: CustomerResource,
    summary: 'Read a customer, also a deleted one.',
  },
  'PATCH /customers/{id}': {
    stores: 'change',
    permission: 'customers:write',
    service: 'invoicing',
    body: UpdateCustomer,
    response: CustomerResource,
    summary: 'Change a customer.',
  },
  'DELETE /customers/{id}': {
    permission: 'customers:write',
    service: 'invoicing',
    response: CustomerResource,
    summary: 'Delete a customer; issued documents keep their copy.',
  },
  'POST /customers/{id}/erase': {
    permission: 'customers:write',
    service: 'invoicing',
    body: EmptyBody,
    response: CustomerResource,
    summary: 'Delete a customer and destroy its personal data for good; issued documents keep their copy, and `metadata` stays.',
  },
} satisfies Rows;
