import { createCipheriv, createDecipheriv, type KeyObject, randomBytes } from 'node:crypto';
import type { NewEvent, Recorded } from '@svc/kernel';
import type { SubscriptionLog } from '../subscription/subscription.ts';
import type { EventStore } from '../port.ts';

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
  /** Whether there is a key, by which the personal data of a subject can be read; one that another process has destroyed counts for 5 s more. */
  hasKey(subject: string): Promise<boolean>;
}

interface Personal {
  personal?: unknown;
}

/** An event that this process encrypted carries what its data was. */
interface Encrypted {
  plain?: object;
}

type EncryptedEvent = Recorded & Encrypted & { data: { personal: string }; metadata: { subject: string } };

const isEncrypted = (event: Recorded): event is EncryptedEvent =>
  event.metadata.subject !== undefined && typeof (event.data as Personal).personal === 'string';

/**
 * Encrypts `data.personal` of events with a `metadata.subject` under that subject's key, bound to stream and event id, and decrypts it for
 * readers and subscriptions. Without the key `personal` is null; where decryption fails, reading throws, and a subscription stops at the
 * event and logs it until decryption succeeds.
 */
export function encryptedEventStore(store: EventStore, keys: SubjectKeys, logger?: Pick<SubscriptionLog, 'error'>): EncryptedEventStore {
  async function encrypted(stream: string, event: NewEvent): Promise<NewEvent & Encrypted> {
    const { personal } = event.data as Personal;
    const { subject } = event.metadata;
    if (subject === undefined || personal === undefined || personal === null) return event;
    const key = await keys.forWriting(subject);
    const data = { ...event.data, personal: encrypt(JSON.stringify(personal), key, contextOf(stream, event)) };
    return { ...event, data, plain: event.data };
  }

  /** In clear, of events that this process encrypted: for all subscriptions the same. */
  const inClear = new WeakMap<Recorded, Recorded>();

  async function opened(found: EncryptedEvent): Promise<Recorded> {
    const key = await keys.forReading(found.metadata.subject);
    const known = key && inClear.get(found);
    if (known) return known;
    const { plain, after, ...event } = found;
    if (!key || !plain) {
      const opened: unknown = key ? JSON.parse(decrypt(found.data.personal, key, contextOf(event.stream, event))) : null;
      return { ...event, data: { ...event.data, personal: opened } };
    }
    const clear = { ...event, data: plain, after };
    inClear.set(found, clear);
    return clear;
  }

  const openAll = async (events: Recorded[]): Promise<Recorded[]> =>
    events.some(isEncrypted) ? Promise.all(events.map((event) => (isEncrypted(event) ? opened(event) : event))) : events;

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
    hasKey: async (subject) => (await keys.forReading(subject)) !== undefined,
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

const IV = 12;
const TAG = 16;

/** AES-256-GCM; returns base64 of nonce, tag and ciphertext. `context` is authenticated: with another it cannot be decrypted. */
function encrypt(plain: string, key: KeyObject, context: string): string {
  const iv = randomBytes(IV);
  const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(context));
  const text = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()]);
  return Buffer.concat([iv, cipher.getAuthTag(), text]).toString('base64');
}

/** Throws when the key, the context or a byte differs. */
function decrypt(ciphertext: string, key: KeyObject, context: string): string {
  const bytes = Buffer.from(ciphertext, 'base64');
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, IV), { authTagLength: TAG })
    .setAAD(Buffer.from(context))
    .setAuthTag(bytes.subarray(IV, IV + TAG));
  return Buffer.concat([decipher.update(bytes.subarray(IV + TAG)), decipher.final()]).toString('utf8');
}
