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
