import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '@svc/kernel';
import { startEmulator } from '@svc/eventstoredb-emulator';
import { eventStoreSuite } from '../event-store.suite.ts';
import { freePort } from '@svc/kernel/testing/free-port';
import { openEventStoreDb } from './open.ts';

const logger = { warn: () => undefined };

eventStoreSuite('EventStoreDB, on the emulator', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'eventstoredb-'));
  const file = join(folder, 'events.log');
  const port = await freePort();
  let emulator = await startEmulator({ file, port });
  let opened = openEventStoreDb({ url: emulator.url, namespace: 'suite', clock: systemClock, logger });
  return {
    store: opened.store,
    async reopen() {
      await opened.close();
      await emulator.close();
      emulator = await startEmulator({ file, port });
      opened = openEventStoreDb({ url: emulator.url, namespace: 'suite', clock: systemClock, logger });
      return opened.store;
    },
    async close() {
      await opened.close();
      await emulator.close();
      await rm(folder, { recursive: true });
    },
  };
});
