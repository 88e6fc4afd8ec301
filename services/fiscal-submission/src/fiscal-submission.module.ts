import { Module, type DynamicModule } from '@nestjs/common';
import { documentKinds } from '@svc/contracts/documents';
import { backgroundProvider } from '@svc/service';
import { assemble, type FiscalSubmissionAdapters } from './assemble.ts';
import { attemptsController } from './submission/attempts.ts';
import { RegistrationConsumer } from './submission/consumer.ts';
import { CONTEXT } from './submission/context.ts';
import { WORKER } from './submission/worker.ts';

@Module({})
export class FiscalSubmissionModule {
  static forRoot(adapters: FiscalSubmissionAdapters): DynamicModule {
    const { context, worker, background } = assemble(adapters);
    return {
      module: FiscalSubmissionModule,
      controllers: [RegistrationConsumer, ...documentKinds.map(attemptsController)],
      providers: [{ provide: CONTEXT, useValue: context }, { provide: WORKER, useValue: worker }, backgroundProvider(background)],
    };
  }
}
