import { Module, type DynamicModule } from '@nestjs/common';
import { documentKinds } from '@svc/contracts/documents';
import { findRestored } from '@svc/document-store/restored';
import { checkpointsWithin } from '@svc/event-store';
import { backgroundProvider } from '@svc/service';
import { assemble, type FiscalSubmissionAdapters } from './assemble.ts';
import { CHAINS } from './after-restore/operators.ts';
import { SUBMISSIONS, type SubmissionContext } from './operators/waiting.ts';
import { CHECKING, CheckController } from './checking/http.ts';
import { CREDENTIALS, CredentialsController } from './credentials/http.ts';
import { EVIDENCE } from './evidence/evidence.ts';
import { evidenceController, EvidenceFilesController } from './evidence/http.ts';
import { attemptsController } from './submission/attempts.ts';
import { RegistrationConsumer } from './submission/consumer.ts';
import { resolveController } from './submission/resolve.ts';
import { CONTEXT } from './submission/context.ts';
import { WORKER } from './submission/worker.ts';

@Module({})
export class FiscalSubmissionModule {
  static async forRoot(adapters: FiscalSubmissionAdapters): Promise<DynamicModule> {
    const { eventStore: store, documents, clock, logger } = adapters;
    await checkpointsWithin({ store, checkpoints: documents.collection('checkpoints'), clock, logger });
    const restored = await findRestored(documents, clock, async () => null);
    if (restored)
      logger.info({ at: restored.at }, 'runs on a restored store: chains of records are closed until they are restarted or opened');
    const { context, chainContext, credentialsParts, checking, evidence, noteAction, worker, background } = assemble({
      ...adapters,
      restored: restored ?? undefined,
    });
    return {
      module: FiscalSubmissionModule,
      controllers: [
        RegistrationConsumer,
        CredentialsController,
        CheckController,
        EvidenceFilesController,
        ...documentKinds.flatMap((kind) => [attemptsController(kind), resolveController(kind), evidenceController(kind)]),
      ],
      providers: [
        { provide: CONTEXT, useValue: context },
        { provide: CHAINS, useValue: chainContext },
        { provide: WORKER, useValue: worker },
        { provide: SUBMISSIONS, useValue: { context, worker, note: noteAction } satisfies SubmissionContext },
        { provide: CREDENTIALS, useValue: credentialsParts },
        { provide: CHECKING, useValue: checking },
        { provide: EVIDENCE, useValue: evidence },
        backgroundProvider(background),
      ],
    };
  }
}
