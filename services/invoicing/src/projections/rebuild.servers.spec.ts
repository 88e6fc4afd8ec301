import { openMongo } from '@svc/document-store/mongodb/open';
import { openEventStoreDb } from '@svc/event-store/eventstoredb/open';
import { systemClock as clock } from '@svc/kernel';
import { createLogger } from '@svc/service';
import { testRebuild } from './testing/rebuild.ts';

const { MONGODB_URL: mongo = '', EVENT_STORE_URL: url = '' } = process.env;

testRebuild(
  'EventStoreDB and MongoDB',
  async () => {
    const namespace = `rebuild${Date.now().toString(36)}`;
    const logger = createLogger({ level: 'silent', service: 'test' });
    const documents = openMongo({ url: mongo, namespace, logger });
    const events = openEventStoreDb({ url, namespace, clock, logger });
    return {
      documents: documents.database('svc_invoicing'),
      eventStore: events.store,
      async close() {
        await events.close();
        await documents.close();
      },
    };
  },
  150,
);
