import { type EncryptedEventStore, startExclusiveSubscription, type SubscriptionContext } from '@svc/event-store';
import {
  createCommandHandler,
  type Env,
  type Folded,
  type Ids,
  notFound,
  storedEvents,
  uidOf,
  streamOf,
  turnOf,
  categoryOf,
  idOf,
  type Recorded,
} from '@svc/kernel';
import { customerDecider } from './domain/decide.ts';
import { customerEventVersions, isWhole, type CustomerEvent } from './domain/events.ts';
import type { CustomerState } from './domain/state.ts';
import { subscriptionWork, type BackgroundWork } from '@svc/service';

export const customerEvents = storedEvents<CustomerEvent>(customerEventVersions);
/** Throws not_found for an id that is no customer's. */
export function customerStream(account: string, env: Env, id: string): string {
  if (uidOf('cust', id) === undefined) throw notFound('customer');
  return streamOf('customer', env, account, id);
}

/** The customers' streams: `store` encrypts and decrypts `data.personal`. */
export function createCustomers({ store, ids }: { store: EncryptedEventStore; ids: Ids }) {
  const { handle, load } = createCommandHandler({ streams: store, decider: customerDecider, ...customerEvents, ids, isWhole, turnOf });
  return {
    handle,
    /** Makes the customer's personal data unreadable in all of its events, for good. Idempotent. */
    destroyKey: (id: string): Promise<void> => store.destroyKey(id),
    /** The stored state. Throws not_found. */
    async current(account: string, env: Env, id: string): Promise<Folded<CustomerState>> {
      const { state, ...folded } = await load(customerStream(account, env, id));
      if (state === null) throw notFound('customer');
      return { ...folded, state };
    },
    /** Deleted customers too; undefined for an id that this account and environment does not have. */
    async find(account: string, env: Env, id: string): Promise<CustomerState | undefined> {
      if (uidOf('cust', id) === undefined) return undefined;
      return (await load(customerStream(account, env, id))).state ?? undefined;
    },
  };
}

export type Customers = ReturnType<typeof createCustomers>;

/** Each customer as it was when it was first looked for. */
export function readOnce(customers: Pick<Customers, 'find'>): Pick<Customers, 'find'> {
  const found = new Map<string, Promise<CustomerState | undefined>>();
  return {
    find(account, env, id) {
      const known = found.get(id) ?? customers.find(account, env, id);
      found.set(id, known);
      return known;
    },
  };
}

/**
 * Destroys the keys of erased customers: of those whose request ended between the event and the key, and after a restore from a backup, which brings
 * keys back, of all.
 */
export const erasingWork = (customers: Pick<Customers, 'destroyKey'>, subscribing: SubscriptionContext): BackgroundWork =>
  subscriptionWork('erasing', () =>
    startExclusiveSubscription({ ...subscribing, name: 'erasing', handle: (events) => destroyKeys(customers, events) }),
  );

async function destroyKeys(customers: Pick<Customers, 'destroyKey'>, events: readonly Recorded[]): Promise<void> {
  for (const { stream, type } of events)
    if (type === 'CustomerErased' && categoryOf(stream) === 'customer') await customers.destroyKey(idOf(stream));
}
