import type { RouteName } from '@svc/contracts/routes';
import type { Clock, Ids } from '@svc/kernel';
import type { Logger } from '@svc/service';
import type { Suspensions } from '../principals/suspensions.ts';
import type { Hosts, KeyRecognizer } from '../principals/api-key/resolve-key.ts';
import type { Insiders } from '../principals/inside/ask-inside.ts';
import type { SessionRecognizer } from '../principals/session/recognize-session.ts';
import type { Cookies } from '../sessions/cookies.ts';
import type { SessionTerms } from '../sessions/session.ts';
import type { AccountNames } from '../actors/with-names.ts';
import type { IdempotencyStore } from '../idempotency/store.ts';
import type { Limiter } from '../limiter/port.ts';
import type { StorageUsage } from '../storage/usage.ts';
import type { RequestRecorder } from '../requests/record-requests.ts';
import type { RequestCounts } from '../usage/request-counts.ts';

export interface EdgeOptions {
  keys: KeyRecognizer;
  suspensions: Suspensions;
  sessions: SessionRecognizer;
  cookies: Cookies;
  sessionTerms: SessionTerms;
  insiders: Insiders;
  /** Origin of the dashboard, without a trailing slash. */
  consoleOrigin: string;
  limiter: Limiter;
  storage: StorageUsage;
  /** Requests a day. */
  counts: Pick<RequestCounts, 'note'>;
  recorder: RequestRecorder;
  namesOf: AccountNames;
  idempotency: IdempotencyStore;
  clock: Clock;
  ids: Ids;
  hosts: Hosts;
  requireHttps: boolean;
  /** Proxies whose X-Forwarded-Proto and X-Forwarded-For are trusted: addresses, networks, `loopback`. */
  trustedProxies: readonly string[];
  logger: Logger;
  /** Of a hundred requests, how many get a line in the log. */
  accessLogPercent: number;
  /** Routes that a service serves. Called once, at the first request. Other routes are 404 like unknown paths. */
  served: () => ReadonlySet<RouteName>;
}
