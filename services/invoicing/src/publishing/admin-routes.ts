import { IsFlag, IsText } from '@svc/contracts/schema/decorators/index';
import { topics } from '@svc/contracts/events/envelope';
import type { EventBus } from '@svc/event-bus';
import { republish } from '@svc/event-bus/publishing/republish';
import { DomainError, streamOf } from '@svc/kernel';
import { onlyBearer, validatedBody, type AddRoutes } from '@svc/service';
import { documentTypes } from '../document-types.ts';
import type { SeriesContext } from '../numbering/series-numbers.ts';

class OneDocument {
  @IsText(100) account: string;
  @IsFlag() livemode: boolean;
  @IsText(100) id: string;
}

const types = Object.values(documentTypes);
const publishers = types.map(({ publisher }) => publisher);

/** `/admin/documents` of the operators' port: publishes a document once more. Requires the bearer token `OPS_TOKEN`; if it is not set, every request is answered with 403. */
export const documentRoutes =
  ({ store, restored }: Pick<SeriesContext, 'store' | 'restored'>, bus: Pick<EventBus, 'publish'>, token: string | undefined): AddRoutes =>
  async (ops) => {
    const options = { source: 'invoicing', store, publishers, restoredUntil: restored?.until, topic: topics.history };
    const publish: EventBus['publish'] = (...given) => bus.publish(...given);
    await ops.register(
      async (admin) => {
        admin.addHook('onRequest', onlyBearer('OPS_TOKEN', token));
        admin.post('/republish', validatedBody(OneDocument), async ({ body }) => {
          const { account, livemode, id } = body as OneDocument;
          for (const { category } of publishers) {
            const done = await republish({ ...options, publish }, streamOf(category, livemode ? 'live' : 'test', account, id));
            if (done.published + done.failed > 0) return done;
          }
          throw new DomainError('not_found', `The account ${account} has no document ${id}.`);
        });
      },
      { prefix: '/admin/documents' },
    );
  };
