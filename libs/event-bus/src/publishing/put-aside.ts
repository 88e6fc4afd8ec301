import type { Collection } from '@svc/document-store';
import { millisOf } from '@svc/kernel';
import { tenantOf, type DeadLetter } from '../dead-letter.ts';
import type { Mark } from './mark.ts';

/** Tenants that a mark names, some 60 bytes each: a broker accepts 4,096 with an offset. */
const MOST_TENANTS = 50;
const MOST_OF_EARLIER = 1_000;

/**
 * Of each tenant with dead letters of a publisher, the time of the oldest event of them. undefined where more tenants have some than a mark can name: then it
 * is not known for any tenant what is missing.
 */
export async function putAsideIn(deadLetters: Collection<DeadLetter>): Promise<Mark['put_aside'] | undefined> {
  const oldest = new Map<string, number>();
  for (let after = ''; ;) {
    const next = deadLetters.find({ tenant: { $gt: after } }, { sort: { tenant: 1, event_time: 1, _id: 1 }, limit: 1 });
    const [{ tenant, event_time } = {} as Partial<DeadLetter>] = await Array.fromAsync(next);
    if (typeof tenant !== 'string') break;
    if (oldest.size === MOST_TENANTS) return undefined;
    oldest.set(tenant, event_time ? millisOf(event_time) : 0);
    after = tenant;
  }
  return (await addEarlier(deadLetters, oldest)) ? Object.fromEntries(oldest) : undefined;
}

/** Of several publishers. */
export function earliest(all: readonly Mark['put_aside'][]): Mark['put_aside'] {
  const oldest: Record<string, number> = {};
  for (const [tenant, time] of all.flatMap((one) => Object.entries(one))) oldest[tenant] = Math.min(time, oldest[tenant] ?? Infinity);
  return oldest;
}

/** until 0.3: the dead letters of release 0.1.0 name neither tenant nor time. False where there are too many. */
async function addEarlier(deadLetters: Collection<DeadLetter>, oldest: Map<string, number>): Promise<boolean> {
  const [all, named] = await Promise.all([deadLetters.count({}), deadLetters.count({ tenant: { $gt: '' } })]);
  if (all === named) return true;
  if (all > MOST_OF_EARLIER) return false;
  for await (const { tenant, event } of deadLetters.find({})) {
    if (typeof tenant === 'string') continue;
    const owner = ownerOf(event);
    if (owner === undefined) return false;
    oldest.set(owner.tenant, Math.min(owner.time, oldest.get(owner.tenant) ?? Infinity));
  }
  return oldest.size <= MOST_TENANTS;
}

const TENANT_OF_STREAM = /^[^-]+-(live|test)\.([^.]+)\./;

/** Of an event that the bus refused, or of events of a stream, whose time it does not say. */
function ownerOf(event: unknown): { tenant: string; time: number } | undefined {
  const { env, account, time, stream } = event as { env?: string; account?: string; time?: string; stream?: string };
  if (env !== undefined && account !== undefined && time !== undefined) return { tenant: tenantOf({ env, account }), time: millisOf(time) };
  const [, ofEnv, ofAccount] = TENANT_OF_STREAM.exec(stream ?? '') ?? [];
  return ofEnv !== undefined && ofAccount !== undefined ? { tenant: tenantOf({ env: ofEnv, account: ofAccount }), time: 0 } : undefined;
}
