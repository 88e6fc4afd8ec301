import { IsText, IsWhole, OneOf, Optional } from '@svc/contracts/schema/decorators/index';
import { notFound } from '@svc/kernel';
import { onlyBearer, reading, type AddRoutes } from '../index.ts';
import { deadLetterReasons, type DeadLetterReason } from '@svc/event-bus/dead-letter';
import { deadLetterOf, pageOfDeadLetters } from '@svc/event-bus/dead-letters/find';
import type { EventBus } from '@svc/event-bus';
import { dropDeadLetters, redriveDeadLetters } from '@svc/event-bus/dead-letters/redrive';
import { auditDropped, type AuditContext } from './audit-dropped.ts';

/** Selects dead letters to redrive or to drop: those of a group that match all given fields. */
class Meant {
  @IsText() group: string;
  @Optional() @IsText(300) type?: string;
  @Optional() @IsText(300) subject?: string;
  @Optional() @OneOf(deadLetterReasons) reason?: DeadLetterReason;
  @Optional() @IsText(1_000) id?: string;
}

class Listing {
  @Optional() @IsText() group?: string;
  @Optional() @IsText(300) type?: string;
  @Optional() @IsText(300) subject?: string;
  @Optional() @OneOf(deadLetterReasons) reason?: DeadLetterReason;
  @Optional() @IsText(1_000) after?: string;
  @Optional() @IsWhole({ min: 1, max: 100 }) limit?: number;
}

interface DeadLetterContext extends AuditContext {
  bus: Pick<EventBus, 'publish' | 'deadLetters'>;
}

/**
 * `/admin/dead-letters` of the operators' port: list, show, redrive, drop. The audit of an account has what is dropped of its. Requires the bearer token
 * `OPS_TOKEN`; if it is not set, every request is answered with 403.
 */
export const deadLetterRoutes =
  (context: DeadLetterContext, token: string | undefined): AddRoutes =>
  async (ops) => {
    const { deadLetters: queues } = context.bus;
    const meant = reading(Meant);
    const listing = reading(Listing);
    const known = ({ group }: Meant): string => {
      if (!queues.groups().includes(group)) throw notFound('group');
      return group;
    };
    await ops.register(
      async (admin) => {
        admin.addHook('onRequest', onlyBearer('OPS_TOKEN', token));
        admin.get('/', async ({ query }) => {
          const { limit, ...which } = query as Record<string, string>;
          return pageOfDeadLetters(queues, { limit: 20, ...listing({ ...which, ...(limit !== undefined && { limit: Number(limit) }) }) });
        });
        admin.get<{ Params: { id: string } }>('/:id', async ({ params }) => {
          const deadLetter = await deadLetterOf(queues, params.id);
          if (!deadLetter) throw notFound('dead letter');
          return deadLetter;
        });
        admin.post('/redrive', async ({ body }) => {
          const which = meant(body);
          return redriveDeadLetters(queues, known(which), which);
        });
        admin.delete('/', async ({ query }) => {
          const which = meant(query);
          const group = known(which);
          return dropDeadLetters(queues, group, which, (counts, dropped) => auditDropped(context, group, counts, dropped));
        });
      },
      { prefix: '/admin/dead-letters' },
    );
  };
