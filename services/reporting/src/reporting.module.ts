import { Module, type DynamicModule } from '@nestjs/common';
import type { DocumentStore } from '@svc/document-store';
import type { Clock } from '@svc/kernel';
import type { Health, Logger } from '@svc/service';
import { REPORTING, type ReportingContext } from './facts/context.ts';
import { FactsConsumer } from './facts/consumer.ts';
import { factIndexes, FACTS, type Fact } from './facts/fact.ts';
import { ReportsController } from './reports/http.ts';

export interface ReportingAdapters {
  /** This service's own database. */
  documents: DocumentStore;
  clock: Clock;
  logger: Logger;
  health: Health;
  /** Public origin, without a slash at its end. */
  publicUrl: string;
}

@Module({})
export class ReportingModule {
  static forRoot({ documents, health, ...shared }: ReportingAdapters): DynamicModule {
    const context: ReportingContext = { ...shared, facts: documents.collection<Fact>(FACTS, { indexes: factIndexes }) };
    health.register('reporting', async () => {
      await context.facts.get('any'); // Throws the reason when the database does not answer.
      return true as const;
    });
    return {
      module: ReportingModule,
      controllers: [ReportsController, FactsConsumer],
      providers: [{ provide: REPORTING, useValue: context }],
    };
  }
}
