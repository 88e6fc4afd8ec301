import { openMongo } from '@svc/document-store/mongodb/open';
import { takeNamespaces } from '@svc/document-store/testing/namespace';
import { eventLogSuite } from './log.suite.ts';

const { url, next, drop } = takeNamespaces();
afterAll(drop);

eventLogSuite('MongoDB', async () => {
  const mongo = openMongo({ url, namespace: next(), logger: console });
  return { documents: mongo.database('svc_webhooks'), close: () => mongo.close() };
});
