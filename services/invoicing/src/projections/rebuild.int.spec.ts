import { embeddedDocumentStore } from '@svc/document-store';
import { Engine } from '@svc/embedded';
import { embeddedEventStore } from '@svc/event-store';
import { systemClock } from '@svc/kernel';
import { dataFolder } from '../testing/open-system.ts';
import { testRebuild } from './testing/rebuild.ts';

testRebuild(
  'embedded',
  async () => {
    const folder = dataFolder();
    const engine = Engine.open(folder.path, { durable: false });
    return {
      documents: embeddedDocumentStore(engine, 'svc_invoicing'),
      eventStore: embeddedEventStore(engine, systemClock),
      async close() {
        engine.close();
        folder.remove();
      },
    };
  },
  1_000,
);
