import { type EncryptedEventStore, startExclusiveSubscription, type SubscriptionContext } from '@svc/event-store';
import {
  createCommandHandler,
  type Env,
  type Folded,
  type Ids,
  notFound,
  versionAt,
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

/** A customer as the store has it, and its version. */
export interface Looked {
  state: CustomerState;
  version: number;
}

/** The customers' streams: `store` encrypts and decrypts `data.personal`. */
export function createCustomers({ store, ids }: { store: EncryptedEventStore; ids: Ids }) {
  const { handle, load } = createCommandHandler({ streams: store, decider: customerDecider, ...customerEvents, ids, isWhole, turnOf });

  /** Deleted customers too; undefined for an id that this account and environment does not have. */
  async function look(account: string, env: Env, id: string): Promise<Looked | undefined> {
    if (uidOf('cust', id) === undefined) return undefined;
    const { state, revision } = await load(customerStream(account, env, id));
    return state === null ? undefined : { state, version: versionAt(revision) };
  }

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
    find: async (account: string, env: Env, id: string): Promise<CustomerState | undefined> => (await look(account, env, id))?.state,
    look,
    /** As it was at a version, with what is left of its personal data. */
    async asOf(account: string, env: Env, { id, version }: { id: string; version: number }): Promise<CustomerState | undefined> {
      const [recorded] = await store.read(customerStream(account, env, id), BigInt(version - 1), 1);
      return recorded ? (customerDecider.evolve(null, customerEvents.decode(recorded)) ?? undefined) : undefined;
    },
  };
}

export type Customers = ReturnType<typeof createCustomers>;

/** Each customer as it was when it was first looked for. */
export function readOnce(customers: Pick<Customers, 'look'>): Pick<Customers, 'find' | 'look'> {
  const found = new Map<string, Promise<Looked | undefined>>();
  const look: Customers['look'] = (account, env, id) => {
    const known = found.get(id) ?? customers.look(account, env, id);
    found.set(id, known);
    return known;
  };
  return { look, find: async (...of) => (await look(...of))?.state };
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
