import type { ProductResource } from '@svc/contracts/product/resource';
import { iso, notFound, prefixed } from '@svc/kernel';
import { checkVersion, type Identity, type IfMatch } from '@svc/service';
import { metadataOf, type InvoicingContext } from '../context.ts';
import type { ProductCommand } from './domain/decide.ts';
import type { ProductBody } from './domain/fields.ts';
import type { Products } from './products.ts';
import { productResource } from './resource.ts';

export interface ProductWriting {
  context: Pick<InvoicingContext, 'clock'>;
  products: Products;
  identity: Identity;
}

/** Repeated under the same command id it returns the product created before. Throws validation_error, also for a SKU that another product has. */
export async function createProduct({ context, products, identity }: ProductWriting, body: ProductBody): Promise<ProductResource> {
  const id = prefixed('prod', identity.commandId);
  const command: ProductCommand = { type: 'create', at: iso(context.clock.now()), id, livemode: identity.livemode, body };
  return change({ products, identity }, id, () => command);
}

/** A merge patch. Throws not_found, version_conflict, validation_error; invalid_state for a deleted product. The number of changes is not limited. */
export async function updateProduct(
  { context, products, identity }: ProductWriting,
  { id, ifMatch, body }: { id: string; ifMatch: IfMatch | undefined; body: ProductBody },
): Promise<ProductResource> {
  return change({ products, identity }, id, existing(ifMatch, { type: 'update', at: iso(context.clock.now()), body }));
}

/** Always possible; repeated it changes nothing. Its SKU is free again. */
export async function deleteProduct(
  { context, products, identity }: ProductWriting,
  { id, ifMatch }: { id: string; ifMatch: IfMatch | undefined },
): Promise<ProductResource> {
  return change({ products, identity }, id, existing(ifMatch, { type: 'delete', at: iso(context.clock.now()) }));
}

const existing =
  (ifMatch: IfMatch | undefined, command: ProductCommand): Parameters<Products['handle']>[1] =>
  (state) => {
    if (state === null) throw notFound('product');
    checkVersion(ifMatch, state.version);
    return command;
  };

async function change(
  { products, identity }: Pick<ProductWriting, 'products' | 'identity'>,
  id: string,
  decideOn: Parameters<Products['handle']>[1],
): Promise<ProductResource> {
  const { account, env } = identity;
  const { state } = await products.handle({ account, env, id }, decideOn, metadataOf(identity));
  if (state === null) throw notFound('product');
  return productResource(state);
}
