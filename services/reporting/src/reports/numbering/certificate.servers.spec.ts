import { openMongo } from '@svc/document-store/mongodb/open';
import { takeNamespaces } from '@svc/document-store/testing/namespace';
import { testCertificate } from './certificate.suite.ts';

const { url, next, drop } = takeNamespaces();
afterAll(drop);

testCertificate(async () => {
  const mongo = openMongo({ url, namespace: next(), logger: console });
  return { documents: mongo.database('svc_reporting'), close: () => mongo.close() };
});
