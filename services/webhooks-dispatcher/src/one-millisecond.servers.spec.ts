import { openMongo } from '@svc/document-store/mongodb/open';
import { takeNamespaces } from '@svc/document-store/testing/namespace';
import { oneMillisecondSuite } from './one-millisecond.suite.ts';

const { url, next, drop } = takeNamespaces();
afterAll(drop);

/** More than a page of a recovery. */
const COUNT = 1_150;
oneMillisecondSuite('MongoDB', COUNT, async () => {
  const mongo = openMongo({ url, namespace: next(), logger: console });
  return { documents: mongo.database('svc_webhooks'), close: () => mongo.close() };
});
