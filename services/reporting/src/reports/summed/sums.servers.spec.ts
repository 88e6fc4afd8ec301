import { openMongo } from '@svc/document-store/mongodb/open';
import { takeNamespaces } from '@svc/document-store/testing/namespace';
import { testSums } from './sums.suite.ts';

const { url, next, drop } = takeNamespaces();
afterAll(drop);

testSums(async () => {
  const mongo = openMongo({ url, namespace: next(), logger: console });
  return { documents: mongo.database('svc_reporting'), close: () => mongo.close() };
});
