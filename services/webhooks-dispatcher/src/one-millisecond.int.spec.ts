import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { embeddedDocumentStore } from '@svc/document-store';
import { Engine } from '@svc/embedded';
import { oneMillisecondSuite } from './one-millisecond.suite.ts';

/** More than one look-up by ids takes. */
const COUNT = 10_050;
oneMillisecondSuite('embedded', COUNT, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-webhooks-'));
  const engine = Engine.open(folder, { durable: false });
  return {
    documents: embeddedDocumentStore(engine, 'svc_webhooks'),
    async close() {
      engine.close();
      rmSync(folder, { recursive: true });
    },
  };
});
