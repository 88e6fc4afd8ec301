import type { AttemptPhases } from '@svc/contracts/webhook/resource';
import type { Connected } from './connector.ts';
import type { Reached } from './reason.ts';

/** When one attempt reached what, in milliseconds since 1970; undefined: not yet. */
export interface Times {
  began: number;
  /** The address is known; `wasResolved`: a name was looked up for it. */
  addressAt?: number;
  wasResolved?: boolean;
  /** When the newest connection of the same account to the same address was made; of an attempt that has one, as of when it got it. */
  connected?: Readonly<Connected>;
  requestAt?: number;
  statusAt?: number;
}

/** The connections that were made since this attempt waits for one, of which one is its own. */
const madeFor = ({ addressAt, connected }: Times): Readonly<Connected> | undefined =>
  connected && addressAt !== undefined && connected.at >= addressAt ? connected : undefined;

export function reachedOf(times: Times): Reached {
  if (times.statusAt !== undefined) return 'status';
  if (times.requestAt !== undefined) return 'request';
  if (times.addressAt === undefined) return 'nothing';
  return madeFor(times) ? 'connection' : 'address';
}

/** Where the time of an attempt went that ended at `ended`. Of an attempt that waited for a connection of its own, the last one that was made counts as that. */
export function phasesOf(times: Times, ended: number, isSecure: boolean): AttemptPhases {
  const { began, addressAt, wasResolved = false, requestAt, statusAt } = times;
  const made = madeFor(times);
  const after = (from: number, to: number | undefined): number => Math.max(0, (to ?? ended) - from);
  const phases: AttemptPhases = { resolve: null, connect: null, tls: null, wait: null, body: null };
  if (addressAt === undefined) return { ...phases, resolve: after(began, ended) };
  if (wasResolved) phases.resolve = after(began, addressAt);
  if (made || requestAt === undefined) phases.connect = after(addressAt, made?.at);
  if (made && isSecure) phases.tls = after(made.at, requestAt);
  if (requestAt === undefined) return phases;
  phases.wait = after(made ? Math.max(made.at, isSecure ? requestAt : made.at) : addressAt, statusAt);
  if (statusAt !== undefined) phases.body = after(statusAt, ended);
  return phases;
}
