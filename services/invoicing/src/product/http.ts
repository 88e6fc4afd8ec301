import { Controller, Inject } from '@nestjs/common';
import { CreateProduct } from '@svc/contracts/product/requests';
import { PROJECTIONS, type Projections } from '@svc/event-store';
import type { Clock } from '@svc/kernel';
import { type RequestOf, Serves, createEach, listProjection } from '@svc/service';
import type { FastifyRequest } from 'fastify';
import { CONTEXT } from '../context.ts';
import { ordersByName } from '../projections/by-name.ts';
import { TERMS, type ListTerms } from '../terms/list-terms.ts';
import { productFilter, productsProjection } from './list.ts';
import type { Products } from './products.ts';
import { productResource } from './resource.ts';
import { createProduct, deleteProduct, updateProduct, type ProductWriting } from './write.ts';

export const PRODUCTS = Symbol('Products');

@Controller()
export class ProductsController {
  constructor(
    @Inject(CONTEXT) private readonly context: { clock: Clock; publicUrl: string },
    @Inject(PRODUCTS) private readonly products: Products,
    @Inject(PROJECTIONS) private readonly projections: Projections,
    @Inject(TERMS) private readonly terms: ListTerms,
  ) {}

  private writing({ identity, calculated }: Pick<FastifyRequest, 'identity' | 'calculated'>): ProductWriting {
    return { context: this.context, products: this.products, identity, calculated };
  }

  @Serves('POST /products')
  create(request: RequestOf<'POST /products'>) {
    return createProduct(this.writing(request), request.body);
  }

  @Serves('POST /products/batch')
  createEach(request: RequestOf<'POST /products/batch'>) {
    return createEach(request, CreateProduct, (body, item) => createProduct(this.writing(item), body));
  }

  @Serves('GET /products/{id}')
  async read({ identity: { account, env }, params }: RequestOf<'GET /products/{id}'>) {
    return productResource((await this.products.current(account, env, params.id)).state);
  }

  @Serves('PATCH /products/{id}')
  update(request: RequestOf<'PATCH /products/{id}'>) {
    const { params, ifMatch, body } = request;
    return updateProduct(this.writing(request), { id: params.id, ifMatch, body });
  }

  @Serves('DELETE /products/{id}')
  delete(request: RequestOf<'DELETE /products/{id}'>) {
    return deleteProduct(this.writing(request), { id: request.params.id, ifMatch: request.ifMatch });
  }

  @Serves('GET /products')
  async list(request: RequestOf<'GET /products'>) {
    const { identity, query, turn, reply } = request;
    const found = query.q === undefined ? {} : await this.terms.filter('product', { ...identity, q: query.q, turn, reply });
    return listProjection({
      running: this.projections.of(productsProjection),
      publicUrl: this.context.publicUrl,
      request,
      filter: { ...productFilter(query), ...found },
      orders: ordersByName,
    });
  }
}
