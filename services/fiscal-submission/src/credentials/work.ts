import type { Collection, DocumentStore } from '@svc/document-store';
import type { EventBus } from '@svc/event-bus';
import type { Clock, Ids } from '@svc/kernel';
import { type Audited, type BackgroundWork, jobsWork, type Logger, publishesChanges } from '@svc/service';
import type { Credentials } from './credentials.ts';
import type { Watch } from '../watch.ts';
import { watchCertificates } from './expiring.ts';

interface WorkOptions {
  credentials: Collection<Credentials>;
  documents: DocumentStore;
  bus: Pick<EventBus, 'publish'>;
  clock: Clock;
  ids: Ids;
  logger: Logger;
  /** The service. */
  source: string;
}

/** Publishes changes of certificates, and watches those that end. */
export function credentialsWork({ documents, source, ...options }: WorkOptions): BackgroundWork[] {
  const { credentials, bus, clock, logger } = options;
  const watches = documents.collection<Watch>('certificate_watches', { indexes: [{ fields: ['due_at'] }] });
  return [
    publishesChanges({
      ...{ name: 'settings', source, bus, clock, logger },
      collection: credentials as unknown as Collection<Credentials & Audited>,
      accountOf: ({ account, env }) => ({ account, env }),
    }),
    jobsWork('certificates', watches, clock, () => watchCertificates({ ...options, watches })),
  ];
}
