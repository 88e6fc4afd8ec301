import { createIds, systemClock } from '@svc/kernel';
import { eventStoreSuite } from '../event-store.suite.ts';
import { openEventStoreDb } from './open.ts';

const ids = createIds(systemClock);

eventStoreSuite('EventStoreDB at EVENT_STORE_URL', async () => {
  const url = process.env.EVENT_STORE_URL;
  if (!url) throw new Error('EVENT_STORE_URL is not set');
  const namespace = ids.next().slice(-16);
  const open = () => openEventStoreDb({ url, namespace, clock: systemClock, logger: { warn: () => undefined } });
  let opened = open();
  return {
    store: opened.store,
    async reopen() {
      await opened.close();
      opened = open();
      return opened.store;
    },
    close: () => opened.close(),
  };
});
