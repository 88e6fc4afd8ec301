import type { Calculated } from '@svc/contracts/schema/calculated';
import type { ProductResource } from '@svc/contracts/product/resource';
import { iso, notFound, prefixed, type Clock } from '@svc/kernel';
import { checkVersion, type Identity, type IfMatch, metadataOf } from '@svc/service';
import { calculatedCheck } from '../calculated.ts';
import { productDecider, type ProductCommand } from './domain/decide.ts';
import type { ProductBody } from './domain/fields.ts';
import type { Products } from './products.ts';
import { productResource } from './resource.ts';

export interface ProductWriting {
  context: { clock: Clock };
  products: Products;
  identity: Identity;
  calculated?: Calculated;
}

const checked = calculatedCheck(productDecider, (state) => (state ? productResource(state) : undefined));

/** Repeated under the same command id it returns the product created before. Throws validation_error, also for a SKU that another product has. */
export async function createProduct(
  { context, products, identity, calculated }: ProductWriting,
  body: ProductBody,
): Promise<ProductResource> {
  const id = prefixed('prod', identity.commandId);
  const command: ProductCommand = { type: 'create', at: iso(context.clock.now()), id, livemode: identity.livemode, body };
  return change({ products, identity }, id, (state) => checked(calculated, command, { state, version: state?.version ?? 0 }));
}

/** A merge patch. Throws not_found, version_conflict, validation_error; invalid_state for a deleted product. The number of changes is not limited. */
export async function updateProduct(
  { context, products, identity, calculated }: ProductWriting,
  { id, ifMatch, body }: { id: string; ifMatch: IfMatch | undefined; body: ProductBody },
): Promise<ProductResource> {
  const command: ProductCommand = { type: 'update', at: iso(context.clock.now()), body };
  return change({ products, identity }, id, existing(ifMatch, command, calculated));
}

/** Always possible; repeated it changes nothing. Its SKU is free again. */
export async function deleteProduct(
  { context, products, identity }: ProductWriting,
  { id, ifMatch }: { id: string; ifMatch: IfMatch | undefined },
): Promise<ProductResource> {
  return change({ products, identity }, id, existing(ifMatch, { type: 'delete', at: iso(context.clock.now()) }));
}

const existing =
  (ifMatch: IfMatch | undefined, command: ProductCommand, calculated?: Calculated): Parameters<Products['handle']>[1] =>
  (state) => {
    if (state === null) throw notFound('product');
    checkVersion(ifMatch, state.version);
    return checked(calculated, command, { state, version: state.version });
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
