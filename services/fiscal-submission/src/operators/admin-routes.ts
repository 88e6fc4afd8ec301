import { codeOfRegistered } from '@svc/contracts/document/submission';
import { IsFlag, IsLines, IsText, IsWhole, Matches, OneOf, Optional, Together } from '@svc/contracts/schema/decorators/index';
import { onlyBearer, reading, validatedBody, type AddRoutes } from '@svc/service';
import { OPERATOR } from '../submission/publish.ts';
import { amendSubmissions } from './amend.ts';
import { giveUpSubmission } from './give-up.ts';
import { retryNow } from './retry.ts';
import { listWaiting, resolveWaiting, type SubmissionContext, wakeWaiting, type WaitingFor } from './waiting.ts';

const MOST = 100;

class Listing {
  @Optional() @Matches('^[a-z0-9-]{1,40}$', 40, 'Send the id of an authority, such as al-cis.') authority?: string;
  @Optional() @OneOf(['authority', 'review']) waits_for?: 'authority' | 'review';
  @Optional() @OneOf(['true', 'false']) failing?: 'true' | 'false';
  @Optional() @OneOf(['true', 'false']) livemode?: 'true' | 'false';
}

class Named {
  @IsText(100) id: string;
}

@Together(codeOfRegistered)
class Resolving {
  @IsText(100) id: string;
  @OneOf(['registered', 'not_registered']) outcome: 'registered' | 'not_registered';
  @Optional() @IsText() code?: string;
  @IsLines() note: string;
}

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

/** `/admin/submissions` of the operators' port. Requires the bearer token `OPS_TOKEN`; if it is not set, every request is answered with 403. */
export const submissionRoutes =
  (of: SubmissionContext, token: string | undefined): AddRoutes =>
  async (ops) => {
    const { context, worker } = of;
    const listing = reading(Listing);
    await ops.register(
      async (admin) => {
        admin.addHook('onRequest', onlyBearer('OPS_TOKEN', token));
        admin.get('/', async ({ query }) => listWaiting(context, asked(listing(query))));
        admin.post('/wake', validatedBody(Named), async ({ body }) => wakeWaiting(of, (body as Named).id));
        admin.post('/resolve', validatedBody(Resolving), async ({ body }) => resolveWaiting(of, resolved(body as Resolving), OPERATOR));
        admin.post('/give-up', validatedBody(Named), async ({ body }) => {
          const { id } = body as Named;
          worker.take([await giveUpSubmission(context, id)]);
          return { document_id: id, done: true };
        });
        admin.post('/amend', validatedBody(Amending), async ({ body }) => {
          const { authority, code, livemode = true, after = '', limit = MOST, confirm = false } = body as Amending;
          const { page, rows } = await amendSubmissions(context, { authority, code, livemode, after, limit, confirm });
          worker.take(rows);
          return page;
        });
        admin.post('/retry', validatedBody(Retrying), async ({ body }) => {
          const { authority, livemode = true, account } = body as Retrying;
          return retryNow(of, { authority, livemode, account });
        });
      },
      { prefix: '/admin/submissions' },
    );
  };

const asked = ({ authority, waits_for: waitsFor = 'authority', failing, livemode = 'true' }: Listing): WaitingFor => ({
  ...{ authority, env: livemode === 'true' ? ('live' as const) : ('test' as const) },
  waits: failing === 'true' ? 'failing' : waitsFor,
});

const resolved = ({ id, outcome, code = '', note }: Resolving): Parameters<typeof resolveWaiting>[1] => ({
  id,
  resolution: outcome === 'registered' ? { outcome, code, note } : { outcome, note },
});
