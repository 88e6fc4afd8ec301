import type { RouteName } from '@svc/contracts/routes';
import type { Clock, Ids } from '@svc/kernel';
import type { Logger } from '@svc/service';
import type { Suspensions } from '../principals/suspensions.ts';
import type { Hosts } from '../principals/api-key/credential.ts';
import type { KeyRecognizer } from '../principals/api-key/recognize.ts';
import type { IdempotencyStore } from '../idempotency/store.ts';
import type { Limiter } from '../limiter/port.ts';
import type { StorageUsage } from '../storage/usage.ts';

export interface EdgeOptions {
  keys: KeyRecognizer;
  suspensions: Suspensions;
  limiter: Limiter;
  storage: StorageUsage;
  idempotency: IdempotencyStore;
  clock: Clock;
  ids: Ids;
  hosts: Hosts;
  requireHttps: boolean;
  /** Proxies whose X-Forwarded-Proto and X-Forwarded-For are trusted: addresses, networks, `loopback`. */
  trustedProxies: readonly string[];
  logger: Logger;
  /** Routes that a service serves. Called once, at the first request. Other routes are 404 like unknown paths. */
  served: () => ReadonlySet<RouteName>;
}
