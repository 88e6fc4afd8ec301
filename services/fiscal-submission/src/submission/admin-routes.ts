import { IsFlag, IsWhole, IsText, Optional } from '@svc/contracts/schema/decorators/index';
import { onlyBearer, validatedBody, type AddRoutes } from '@svc/service';
import { amendSubmissions } from './amend.ts';
import { giveUpSubmission } from './give-up.ts';
import type { Context } from './context.ts';
import { retryNow } from './retry.ts';
import type { Worker } from './worker.ts';

const MOST = 100;

class Amending {
  @IsText(40) authority: string;
  @IsText(20) code: string;
  @Optional() @IsFlag() livemode?: boolean;
  @Optional() @IsText(100) after?: string;
  @Optional() @IsWhole({ min: 1, max: MOST }) limit?: number;
  @Optional() @IsFlag() confirm?: boolean;
}

class Retrying {
  @IsText(40) authority: string;
  @Optional() @IsFlag() livemode?: boolean;
  @Optional() @IsText(40) account?: string;
}

class GivingUp {
  @IsText(100) document: string;
}

export const SUBMISSIONS = Symbol('submissions for operators');

export interface SubmissionContext {
  context: Context;
  worker: Pick<Worker, 'take'>;
}

/** `/admin/submissions` of the operators' port. Requires the bearer token `OPS_TOKEN`; if it is not set, every request is answered with 403. */
export const submissionRoutes =
  ({ context, worker }: SubmissionContext, token: string | undefined): AddRoutes =>
  async (ops) => {
    await ops.register(
      async (admin) => {
        admin.addHook('onRequest', onlyBearer('OPS_TOKEN', token));
        admin.post('/give-up', validatedBody(GivingUp), async ({ body }) => {
          const { document } = body as GivingUp;
          worker.take([await giveUpSubmission(context, document)]);
          return { document, done: true };
        });
        admin.post('/amend', validatedBody(Amending), async ({ body }) => {
          const { authority, code, livemode = true, after = '', limit = MOST, confirm = false } = body as Amending;
          const { page, rows } = await amendSubmissions(context, { authority, code, livemode, after, limit, confirm });
          worker.take(rows);
          return page;
        });
        admin.post('/retry', validatedBody(Retrying), async ({ body }) => {
          const { authority, livemode = true, account } = body as Retrying;
          return retryNow(context, { authority, livemode, account });
        });
      },
      { prefix: '/admin/submissions' },
    );
  };
