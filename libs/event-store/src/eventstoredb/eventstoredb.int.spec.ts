import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '@svc/kernel';
import { startDouble } from '../double/server.ts';
import { eventStoreSuite } from '../event-store.suite.ts';
import { freePort } from '@svc/kernel/free-port.suite';
import { openEventStoreDb } from './open.ts';

const logger = { warn: () => undefined };

eventStoreSuite('EventStoreDB, on the double', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'eventstoredb-'));
  const file = join(folder, 'events.log');
  const port = await freePort();
  let double = await startDouble({ file, port });
  let opened = openEventStoreDb({ url: double.url, namespace: 'suite', clock: systemClock, logger });
  return {
    store: opened.store,
    async reopen() {
      await opened.close();
      await double.close();
      double = await startDouble({ file, port });
      opened = openEventStoreDb({ url: double.url, namespace: 'suite', clock: systemClock, logger });
      return opened.store;
    },
    async close() {
      await opened.close();
      await double.close();
      await rm(folder, { recursive: true });
    },
  };
});
