import type { Collection, DocumentStore } from '@svc/document-store';
import type { StoredBytesCount } from '@svc/service';
import type { EndpointContext } from '../endpoint/context.ts';
import type { EventContext } from '../event/context.ts';
import type { Recoveries } from '../endpoint/recovery.ts';
import type { Deliveries } from './delivery.ts';
import type { Pace } from './pacing.ts';

/** The dependencies and settings of the whole service. */
export interface WebhooksContext extends EventContext, EndpointContext {
  deliveries: Deliveries;
  recoveries: Recoveries;
  paces: Collection<Pace>;
  stored: StoredBytesCount;
  /** Milliseconds before retries 1 to 5. */
  delays: readonly number[];
  /** How often to poll for deliveries that other replicas wrote, in milliseconds. */
  lookEvery: number;
  /** Names this process. One that starts under the same name goes on with what the one before it had claimed. */
  holder: string;
  /** Of the store of the collections. */
  unitOfWork: DocumentStore['unitOfWork'];
}
