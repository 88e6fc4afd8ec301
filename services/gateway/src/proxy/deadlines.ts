import type { ServiceName } from '@svc/contracts/http/route';
import { type RouteName, routes } from '@svc/contracts/routes';

/** Milliseconds until a response begins. After them a replica that answers no other request either counts as hung. */
export const READ_MS = 5_000;
/** A list waits until it shows the last write. */
const LIST_MS = 12_000;
const WRITE_MS = 10_000;
/** What reads or writes much before it answers. */
export const LONG_MS = 35_000;
/** Beyond the wait that was asked for. */
const AFTER_WAIT_MS = 5_000;

const SLOW: ReadonlySet<ServiceName> = new Set(['reporting']);
const FILE = /\/(pdf|ubl|evidence)$/;

/** Timeouts in milliseconds. */
export interface Timeouts {
  connect: number;
  /** Until the response begins, however often the service says that it is alive: longer than the 25 s of `Prefer: wait`. */
  answer: number;
  /** Between two chunks of a response. */
  body: number;
  /** The longest deadline of any request. */
  deadline: number;
  /** Without a sign of life, after which a request that may take longer raises the question whether its replica hangs. */
  look: number;
  /** After which the pool of a name takes no further request, and another its place: a replica that is added behind it gets its share by new connections alone. */
  life: number;
  /** In which no replica is reached: a request is sent on for so long. A connection that hangs takes longer to fail than one that is refused. */
  unreached: number;
}

export const TIMEOUTS: Timeouts = {
  ...{ connect: 1_500, answer: 35_000, body: 15_000, deadline: LONG_MS },
  ...{ look: READ_MS, life: 5_000, unreached: 12_000 },
};

/** Of requests that do not wait for an outcome. */
export function deadlineOf(name: RouteName): number {
  const { method, path, service, items } = routes[name];
  if (SLOW.has(service) || FILE.test(path) || items !== undefined) return LONG_MS;
  if (method !== 'GET') return WRITE_MS;
  return isList(path) ? LIST_MS : READ_MS;
}

export const deadlineOfWait = (seconds: number): number => seconds * 1_000 + AFTER_WAIT_MS;

/** `/invoices`, `/invoices/{id}/events`. */
const isList = (path: string): boolean => /s$/.test(path);
