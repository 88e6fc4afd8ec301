import { openMongo, type MongoOptions } from '@svc/document-store/mongodb/open';
import type { SystemPorts } from '../compose.ts';
import type { OpenServer } from './server.ts';

export function documentsOnMongo(options: MongoOptions): { documents: SystemPorts['documents']; server: OpenServer } {
  const { database, check, close } = openMongo(options);
  return { documents: database, server: { name: 'mongodb', check, opens: check, close } };
}
