import type { Calculated } from '@svc/contracts/schema/calculated';
import type { CustomerResource } from '@svc/contracts/customer/resource';
import { iso, notFound, prefixed, versionAt, type Clock } from '@svc/kernel';
import { checkVersion, type Identity, type IfMatch, metadataOf } from '@svc/service';
import { calculatedCheck } from '../calculated.ts';
import { taxIdCheck } from '../tax-ids/tax-id-check.ts';
import { customerStream, type Customers } from './customers.ts';
import { customerDecider, type CustomerCommand } from './domain/decide.ts';
import type { CustomerBody } from './domain/fields.ts';
import type { CustomerState } from './domain/state.ts';
import { customerResource } from './resource.ts';

export interface CustomerWriting {
  context: { clock: Clock };
  customers: Customers;
  identity: Identity;
  calculated?: Calculated;
}

const checked = calculatedCheck(customerDecider, (state, version) => (state ? customerResource(state, version) : undefined));

/** Repeated under the same command id it returns the customer created before. */
export async function createCustomer(
  { context, customers, identity, calculated }: CustomerWriting,
  body: CustomerBody,
): Promise<CustomerResource> {
  const id = prefixed('cust', identity.commandId);
  const isTaxId = await taxIdCheck(body);
  const at = iso(context.clock.now());
  const command: CustomerCommand = { type: 'create', at, id, livemode: identity.livemode, body, isTaxId };
  return change({ customers, identity }, id, (state, version) => checked(calculated, command, { state, version }));
}

/** A merge patch. Throws not_found, version_conflict, validation_error; invalid_state for a deleted customer. The number of changes is not limited. */
export async function updateCustomer(
  { context, customers, identity, calculated }: CustomerWriting,
  { id, ifMatch, body }: { id: string; ifMatch: IfMatch | undefined; body: CustomerBody },
): Promise<CustomerResource> {
  const isTaxId = await taxIdCheck(body);
  const command: CustomerCommand = { type: 'update', at: iso(context.clock.now()), body, isTaxId };
  return change({ customers, identity }, id, existing(ifMatch, command, calculated));
}

/** Always possible; repeated it changes nothing. */
export async function deleteCustomer(
  { context, customers, identity }: CustomerWriting,
  { id, ifMatch }: { id: string; ifMatch: IfMatch | undefined },
): Promise<CustomerResource> {
  return change({ customers, identity }, id, existing(ifMatch, { type: 'delete', at: iso(context.clock.now()) }));
}

/**
 * Deletes the customer and destroys the key of its personal data, whatever its state; repeated it changes nothing. The event is stored first: a
 * process that ends before the key is destroyed leaves that to `erasingWork`.
 */
export async function eraseCustomer(
  { context, customers, identity }: CustomerWriting,
  { id, ifMatch }: { id: string; ifMatch: IfMatch | undefined },
): Promise<CustomerResource> {
  const erased = await change({ customers, identity }, id, existing(ifMatch, { type: 'erase', at: iso(context.clock.now()) }));
  await customers.destroyKey(id);
  return erased;
}

const existing =
  (ifMatch: IfMatch | undefined, command: CustomerCommand, calculated?: Calculated) => (state: CustomerState | null, version: number) => {
    if (state === null) throw notFound('customer');
    checkVersion(ifMatch, version);
    return checked(calculated, command, { state, version });
  };

async function change(
  { customers, identity }: Pick<CustomerWriting, 'customers' | 'identity'>,
  id: string,
  decideOn: Parameters<Customers['handle']>[1],
): Promise<CustomerResource> {
  const { state, revision } = await customers.handle(
    customerStream(identity.account, identity.env, id),
    decideOn,
    metadataOf(identity, id),
  );
  if (state === null) throw notFound('customer');
  return customerResource(state, versionAt(revision));
}
