import { openMongo } from '@svc/document-store/mongodb/open';
import { dropProjections, oldProjections } from '@svc/event-store/projection/old-projections';
import { IsNamespace, IsOneOf, IsUrlOf, logLevels, Setting, type LogLevel } from '@svc/service';
import { runProgram } from '@svc/service/process/index';
import { servedProjections } from './registrations.ts';

class DropViewsConfig {
  @Setting({ description: 'MongoDB: a replica set', secret: true })
  @IsUrlOf('mongodb', 'mongodb+srv')
  MONGODB_URL: string;

  @Setting({ description: 'as the services have it', default: '' })
  @IsNamespace()
  NAMESPACE: string;

  @Setting({ description: 'how much is logged', default: 'info' })
  @IsOneOf(logLevels)
  LOG_LEVEL: LogLevel;
}

/** Removes the read models of releases before this one, once the last process of theirs is gone. Repeated it does nothing. */
await runProgram({
  name: 'drop-views',
  about: 'Removes the read models of invoicing that are older than this release’s, once no process of an older one runs.',
  config: DropViewsConfig,
  async start({ MONGODB_URL: url, NAMESPACE: namespace }, logger) {
    const mongo = openMongo({ url, namespace, logger });
    try {
      const documents = mongo.database('svc_invoicing');
      const names = await oldProjections(documents, servedProjections);
      await dropProjections(documents, names);
      console.log(names.length === 0 ? 'There are no old read models.' : `Removed: ${names.join(', ')}`);
    } finally {
      await mongo.close();
    }
  },
});
