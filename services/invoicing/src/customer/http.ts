import { Controller, Inject } from '@nestjs/common';
import { CreateCustomer } from '@svc/contracts/customer/requests';
import { PROJECTIONS, type Projections } from '@svc/event-store';
import { versionAt } from '@svc/kernel';
import { type Identity, type RequestOf, Serves, createEach, listProjection } from '@svc/service';
import { CONTEXT, type InvoicingContext } from '../context.ts';
import { ordersByName } from '../projections/by-name.ts';
import type { Customers } from './customers.ts';
import { customerFilter, customersProjection } from './list.ts';
import { customerResource } from './resource.ts';
import { createCustomer, deleteCustomer, eraseCustomer, updateCustomer, type CustomerWriting } from './write.ts';

/** Nest's injection token of `Customers`. */
export const CUSTOMERS = Symbol('Customers');

@Controller()
export class CustomersController {
  constructor(
    @Inject(CONTEXT) private readonly context: InvoicingContext,
    @Inject(CUSTOMERS) private readonly customers: Customers,
    @Inject(PROJECTIONS) private readonly projections: Projections,
  ) {}

  private writing(identity: Identity): CustomerWriting {
    return { context: this.context, customers: this.customers, identity };
  }

  @Serves('POST /customers')
  create({ identity, body }: RequestOf<'POST /customers'>) {
    return createCustomer(this.writing(identity), body);
  }

  @Serves('POST /customers/batch')
  createEach(request: RequestOf<'POST /customers/batch'>) {
    return createEach(request, CreateCustomer, (body, { identity }) => createCustomer(this.writing(identity), body));
  }

  @Serves('GET /customers/{id}')
  async read({ identity: { account, env }, params }: RequestOf<'GET /customers/{id}'>) {
    const { state, revision } = await this.customers.current(account, env, params.id);
    return customerResource(state, versionAt(revision));
  }

  @Serves('PATCH /customers/{id}')
  update({ identity, params: { id }, ifMatch, body }: RequestOf<'PATCH /customers/{id}'>) {
    return updateCustomer(this.writing(identity), { id, ifMatch, body });
  }

  @Serves('DELETE /customers/{id}')
  delete({ identity, params: { id }, ifMatch }: RequestOf<'DELETE /customers/{id}'>) {
    return deleteCustomer(this.writing(identity), { id, ifMatch });
  }

  @Serves('POST /customers/{id}/erase')
  erase({ identity, params: { id }, ifMatch }: RequestOf<'POST /customers/{id}/erase'>) {
    return eraseCustomer(this.writing(identity), { id, ifMatch });
  }

  @Serves('GET /customers')
  list(request: RequestOf<'GET /customers'>) {
    return listProjection({
      running: this.projections.of(customersProjection),
      publicUrl: this.context.publicUrl,
      request,
      filter: customerFilter(request.query),
      orders: ordersByName,
    });
  }
}
