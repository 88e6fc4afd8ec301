import { type OpenMongo, openMongo } from '@svc/document-store/mongodb/open';
import { takeNamespaces } from '@svc/document-store/testing/namespace';
import { createLogger } from '@svc/service';
import { limiterSuite } from './limiter.suite.ts';
import { limitRows, sharedLimiter } from './shared.ts';

const { url, next, drop } = takeNamespaces();
const logger = createLogger({ level: 'silent', service: 'test' });
const opened: OpenMongo[] = [];
afterAll(async () => {
  for (const mongo of opened) await mongo.close();
  await drop();
});

limiterSuite('mongodb', async (clock) => {
  const mongo = openMongo({ url, namespace: next(), logger });
  opened.push(mongo);
  return sharedLimiter({ rows: limitRows(mongo.database('svc_gateway')), clock, logger });
});
