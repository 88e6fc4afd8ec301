import type { KeyObject } from 'node:crypto';
import type { NewEvent, Recorded } from '@svc/kernel';
import type { SubscriptionLog } from '../subscription/subscription.ts';
import type { EventStore } from '../port.ts';
import { encrypt, decrypt } from './cipher.ts';

/** One key for each subject's personal data. Without the key the data cannot be read: destroying it is the erasure. */
export interface SubjectKeys {
  /** Creates the key when there is none. Throws `not_found` for a subject whose key was destroyed. */
  forWriting(subject: string): Promise<KeyObject>;
  forReading(subject: string): Promise<KeyObject | undefined>;
  destroy(subject: string): Promise<void>;
}

export interface EncryptedEventStore extends EventStore {
  /** Destroys the key of a subject: its personal data are null from then on, in other processes within 5 s. Idempotent. */
  destroyKey(subject: string): Promise<void>;
}

interface Personal {
  personal?: unknown;
}

/**
 * Encrypts `data.personal` of events with a `metadata.subject` under that subject's key, bound to stream and event id, and decrypts it for
 * readers and subscriptions. Without the key `personal` is null; where decryption fails, reading throws, and a subscription stops at the
 * event and logs it until decryption succeeds.
 */
export function encryptedEventStore(store: EventStore, keys: SubjectKeys, logger?: Pick<SubscriptionLog, 'error'>): EncryptedEventStore {
  /** What was encrypted, by what the store was given: a store that hands its subscriptions the same object saves decryption, and folding (`appendedState`). */
  const plain = new WeakMap<object, object>();

  async function encrypted(stream: string, event: NewEvent): Promise<NewEvent> {
    const { personal } = event.data as Personal;
    const { subject } = event.metadata;
    if (subject === undefined || personal === undefined || personal === null) return event;
    const key = await keys.forWriting(subject);
    const data = { ...event.data, personal: encrypt(JSON.stringify(personal), key, contextOf(stream, event)) };
    plain.set(data, event.data);
    return { ...event, data };
  }

  async function opened(event: Recorded): Promise<Recorded> {
    const { personal } = event.data as Personal;
    const { subject } = event.metadata;
    if (subject === undefined || typeof personal !== 'string') return event;
    const key = await keys.forReading(subject);
    const known = key && plain.get(event.data);
    if (known) return { ...event, data: known };
    const opened: unknown = key ? JSON.parse(decrypt(personal, key, contextOf(event.stream, event))) : null;
    return { ...event, data: { ...event.data, personal: opened } };
  }

  const openAll = async (events: Recorded[]): Promise<Recorded[]> =>
    events.some(({ metadata }) => metadata.subject !== undefined) ? Promise.all(events.map(opened)) : events;

  async function openForSubscription(events: Recorded[]): Promise<Recorded[]> {
    try {
      return await openAll(events);
    } catch (error) {
      logger?.error({ err: error, position: String(events[0]?.position) }, 'personal data cannot be opened; the subscription tries again');
      throw error;
    }
  }

  return {
    ...store,
    destroyKey: (subject) => keys.destroy(subject),
    read: async (...asked) => openAll(await store.read(...asked)),
    tail: async (stream, max) => openAll(await store.tail(stream, max)),
    async append(stream, expected, events) {
      const holdsPersonal = events.some(({ metadata }) => metadata.subject !== undefined);
      return store.append(stream, expected, holdsPersonal ? await Promise.all(events.map((event) => encrypted(stream, event))) : events);
    },
    subscribe: (from, handle) =>
      store.subscribe(from, async (batch) => handle({ ...batch, events: await openForSubscription(batch.events) })),
  };
}

const contextOf = (stream: string, { id }: { id: string }): string => `${stream}/${id}`;
