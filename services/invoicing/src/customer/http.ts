import { Controller, Inject } from '@nestjs/common';
import { CreateCustomer } from '@svc/contracts/customer/requests';
import { PROJECTIONS, type Projections } from '@svc/event-store';
import { versionAt, type Clock } from '@svc/kernel';
import { type RequestOf, Serves, createEach, listProjection } from '@svc/service';
import type { FastifyRequest } from 'fastify';
import { CONTEXT } from '../context.ts';
import { ordersByName } from '../projections/by-name.ts';
import { TERMS, type ListTerms } from '../terms/list-terms.ts';
import type { Customers } from './customers.ts';
import { customerFilter, customersProjection } from './list.ts';
import { customerResource } from './resource.ts';
import { createCustomer, deleteCustomer, eraseCustomer, updateCustomer, type CustomerWriting } from './write.ts';

export const CUSTOMERS = Symbol('Customers');

@Controller()
export class CustomersController {
  constructor(
    @Inject(CONTEXT) private readonly context: { clock: Clock; publicUrl: string },
    @Inject(CUSTOMERS) private readonly customers: Customers,
    @Inject(PROJECTIONS) private readonly projections: Projections,
    @Inject(TERMS) private readonly terms: ListTerms,
  ) {}

  private writing({ identity, calculated }: Pick<FastifyRequest, 'identity' | 'calculated'>): CustomerWriting {
    return { context: this.context, customers: this.customers, identity, calculated };
  }

  @Serves('POST /customers')
  create(request: RequestOf<'POST /customers'>) {
    request.answeredFrom = ''; // its event alone
    return createCustomer(this.writing(request), request.body);
  }

  @Serves('POST /customers/batch')
  createEach(request: RequestOf<'POST /customers/batch'>) {
    return createEach(request, CreateCustomer, (body, item) => createCustomer(this.writing(item), body));
  }

  @Serves('GET /customers/{id}')
  async read({ identity: { account, env }, params }: RequestOf<'GET /customers/{id}'>) {
    const { state, revision } = await this.customers.current(account, env, params.id);
    return customerResource(state, versionAt(revision));
  }

  @Serves('PATCH /customers/{id}')
  update(request: RequestOf<'PATCH /customers/{id}'>) {
    const { params, ifMatch, body } = request;
    return updateCustomer(this.writing(request), { id: params.id, ifMatch, body });
  }

  @Serves('DELETE /customers/{id}')
  delete(request: RequestOf<'DELETE /customers/{id}'>) {
    return deleteCustomer(this.writing(request), { id: request.params.id, ifMatch: request.ifMatch });
  }

  @Serves('POST /customers/{id}/erase')
  erase(request: RequestOf<'POST /customers/{id}/erase'>) {
    return eraseCustomer(this.writing(request), { id: request.params.id, ifMatch: request.ifMatch });
  }

  @Serves('GET /customers')
  async list(request: RequestOf<'GET /customers'>) {
    const { identity, query, turn, reply } = request;
    const found = query.q === undefined ? {} : await this.terms.filter('customer', { ...identity, q: query.q, turn, reply });
    return listProjection({
      running: this.projections.of(customersProjection),
      publicUrl: this.context.publicUrl,
      request,
      filter: { ...customerFilter(query), ...found },
      orders: ordersByName,
    });
  }
}
