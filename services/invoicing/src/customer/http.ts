import { Controller, Inject, Req } from '@nestjs/common';
import type { CustomersQuery } from '@svc/contracts/customer/queries';
import type { CreateCustomer, UpdateCustomer } from '@svc/contracts/customer/requests';
import { versionAt } from '@svc/kernel';
import { Serves } from '@svc/service';
import type { FastifyRequest } from 'fastify';
import { CONTEXT, type InvoicingContext } from '../context.ts';
import { list } from '../listing/list.ts';
import { VIEWS, type Views } from '../listing/views.ts';
import type { Customers } from './customers.ts';
import { customerFilter, customerOrders, customersView } from './list.ts';
import { customerResource } from './resource.ts';
import { createCustomer, deleteCustomer, updateCustomer, type CustomerWriting } from './write.ts';

/** Nest's injection token of `Customers`. */
export const CUSTOMERS = Symbol('Customers');

const idOf = (request: FastifyRequest): string => (request.params as { id: string }).id;

@Controller()
export class CustomersController {
  constructor(
    @Inject(CONTEXT) private readonly context: InvoicingContext,
    @Inject(CUSTOMERS) private readonly customers: Customers,
    @Inject(VIEWS) private readonly views: Views,
  ) {}

  private writing({ identity }: FastifyRequest): CustomerWriting {
    return { context: this.context, customers: this.customers, identity };
  }

  @Serves('POST /customers')
  create(@Req() request: FastifyRequest) {
    return createCustomer(this.writing(request), request.body as CreateCustomer);
  }

  @Serves('GET /customers/{id}')
  async read(@Req() request: FastifyRequest) {
    const { account, env } = request.identity;
    const { state, revision } = await this.customers.current(account, env, idOf(request));
    return customerResource(state, versionAt(revision));
  }

  @Serves('PATCH /customers/{id}')
  update(@Req() request: FastifyRequest) {
    return updateCustomer(this.writing(request), { id: idOf(request), ifMatch: request.ifMatch, body: request.body as UpdateCustomer });
  }

  @Serves('DELETE /customers/{id}')
  delete(@Req() request: FastifyRequest) {
    return deleteCustomer(this.writing(request), { id: idOf(request), ifMatch: request.ifMatch });
  }

  @Serves('GET /customers')
  list(@Req() request: FastifyRequest) {
    return list({
      running: this.views.of(customersView),
      publicUrl: this.context.publicUrl,
      request,
      filter: customerFilter(request.query as CustomersQuery),
      orders: customerOrders,
      toResource: ({ state, version }) => customerResource(state, version),
    });
  }
}
