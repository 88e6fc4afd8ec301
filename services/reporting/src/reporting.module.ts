import { Module, type DynamicModule } from '@nestjs/common';
import type { DocumentStore } from '@svc/document-store';
import { createRenderer } from '@svc/document-files/renderer';
import type { EventBus } from '@svc/event-bus';
import type { Clock } from '@svc/kernel';
import { backgroundProvider, clockSetBack, createBackground, jobsWork, type Health, type KeyRing, type Logger } from '@svc/service';
import { createFiles, FILES } from './reports/files/files.ts';
import { ReportFilesController } from './reports/files/http.ts';
import { PostingsConsumer } from './postings/consumer.ts';
import { REPORTING, type ReportingContext } from './postings/context.ts';
import { openLedger } from './postings/ledger.ts';
import { measureHeld } from './postings/measure-held.ts';
import { createProgress } from './postings/progress.ts';
import { ReportsController } from './reports/http.ts';
import { StatementController } from './reports/statement-http.ts';
import { views } from './reports/served.ts';
import { countedFold } from './reports/summed/counted.ts';
import { issuedFold } from './reports/summed/issued.ts';
import { startSums } from './sums/start.ts';
import type { Sizes } from './sums/sum-block.ts';

export interface ReportingAdapters {
  /** Signs links of files: the same in all replicas. */
  secrets: Pick<KeyRing, 'sign' | 'hasSigned'>;
  /** This service's own database. */
  documents: DocumentStore;
  bus: Pick<EventBus, 'readUntil' | 'deadLetters'>;
  clock: Clock;
  logger: Logger;
  health: Health;
  /** Public origin, without a slash at its end. */
  publicUrl: string;
  /** Of blocks of postings that are summed. */
  sizes?: Sizes;
}

@Module({})
export class ReportingModule {
  static forRoot({ documents, bus, secrets, health, clock, logger, publicUrl, sizes }: ReportingAdapters): DynamicModule {
    const ledger = openLedger(documents);
    const context: ReportingContext = {
      ...{ ...ledger, clock, logger, publicUrl },
      progress: createProgress(bus, clock),
    };
    health.register('reporting', async () => {
      await ledger.postings.get('any'); // Throws the reason when the database does not answer.
      return true as const;
    });
    measureHeld(ledger.held);
    const folds = { counted_on: countedFold(views), issued_on: issuedFold(ledger.postings) };
    const summing = jobsWork('sums', ledger.blocks, clock, () => startSums({ ...ledger, clock, logger, folds, ...(sizes && { sizes }) }));
    const renderer = createRenderer({ clock, logger });
    const background = createBackground({
      ...{ service: 'reporting', health },
      work: [summing, clockSetBack({ documents, work: [summing], clock, logger })],
      close: () => renderer.close(),
    });
    return {
      module: ReportingModule,
      controllers: [ReportsController, StatementController, ReportFilesController, PostingsConsumer],
      providers: [
        { provide: REPORTING, useValue: context },
        backgroundProvider(background),
        { provide: FILES, useValue: createFiles({ context, secrets, renderer }) },
      ],
    };
  }
}
