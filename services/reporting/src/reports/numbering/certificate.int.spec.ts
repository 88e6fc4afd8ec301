import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { embeddedDocumentStore } from '@svc/document-store';
import { Engine } from '@svc/embedded';
import { testCertificate } from './certificate.suite.ts';

testCertificate(async () => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-certificate-'));
  const engine = Engine.open(folder, { durable: false });
  return {
    documents: embeddedDocumentStore(engine, 'svc_reporting'),
    async close() {
      engine.close();
      rmSync(folder, { recursive: true });
    },
  };
});
