import { IsLines, IsText, Matches, OneOf, Optional } from '@svc/contracts/schema/decorators/index';
import { type Actor, invalid } from '@svc/kernel';
import { bodyCheck, onlyBearer, validatedBody, type AddRoutes } from '@svc/service';
import { listWaiting, resolveWaiting, type WaitingContext, wakeWaiting } from './waiting.ts';

class Listing {
  @Optional() @Matches('^[a-z0-9-]{1,40}$', 40, 'Send the id of an authority, such as al-cis.') authority?: string;
  @Optional() @OneOf(['authority', 'review']) waits_for?: 'authority' | 'review';
  @Optional() @OneOf(['true', 'false']) livemode?: 'true' | 'false';
}

class Waking {
  @IsText(100) id: string;
}

class Resolving {
  @IsText(100) id: string;
  @OneOf(['registered', 'not_registered']) outcome: 'registered' | 'not_registered';
  @Optional() @IsText() code?: string;
  @IsLines() note: string;
}

const operator: Actor = { type: 'system', id: 'operator' };

/** `/admin/submissions` of the operators' port: what waits for an authority or a review. Requires the bearer token `OPS_TOKEN`; if it is not set, every request is answered with 403. */
export const waitingRoutes =
  (context: WaitingContext, token: string | undefined): AddRoutes =>
  async (ops) => {
    const listing = bodyCheck(Listing);
    await ops.register(
      async (admin) => {
        admin.addHook('onRequest', onlyBearer('OPS_TOKEN', token));
        admin.get('/', async ({ query }) => {
          const verdict = listing(query);
          if (verdict !== true) throw verdict.error;
          const { authority, waits_for: waitsFor = 'authority', livemode = 'true' } = query as Listing;
          return listWaiting(context, { authority, waitsFor, env: livemode === 'true' ? 'live' : 'test' });
        });
        admin.post('/wake', validatedBody(Waking), async ({ body }) => wakeWaiting(context, (body as Waking).id));
        admin.post('/resolve', validatedBody(Resolving), async ({ body }) =>
          resolveWaiting(context, resolved(body as Resolving), operator),
        );
      },
      { prefix: '/admin/submissions' },
    );
  };

/** Throws invalid_request where a registered document has no code. */
function resolved({ id, outcome, code, note }: Resolving): Parameters<typeof resolveWaiting>[1] {
  if (outcome === 'not_registered') return { id, resolution: { outcome, note } };
  if (code === undefined) throw invalid({ code: ['Send the fiscal code that the authority shows.'] });
  return { id, resolution: { outcome, code, note } };
}
