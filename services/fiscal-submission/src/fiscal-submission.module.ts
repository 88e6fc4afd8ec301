import { Module, type BeforeApplicationShutdown, type DynamicModule, type OnApplicationBootstrap } from '@nestjs/common';
import { assemble, type FiscalSubmissionAdapters } from './assemble.ts';
import { AttemptsController } from './submission/attempts.ts';
import { RegistrationConsumer } from './submission/consumer.ts';
import { CONTEXT } from './submission/context.ts';
import { WORKER } from './submission/worker.ts';

@Module({})
export class FiscalSubmissionModule {
  static forRoot(adapters: FiscalSubmissionAdapters): DynamicModule {
    const { context, worker, start, stop } = assemble(adapters);
    const running: OnApplicationBootstrap & BeforeApplicationShutdown = { onApplicationBootstrap: start, beforeApplicationShutdown: stop };
    return {
      module: FiscalSubmissionModule,
      controllers: [RegistrationConsumer, AttemptsController],
      providers: [
        { provide: CONTEXT, useValue: context },
        { provide: WORKER, useValue: worker },
        { provide: 'fiscal-submission running', useValue: running },
      ],
    };
  }
}
