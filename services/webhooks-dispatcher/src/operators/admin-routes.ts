import { IsText, OneOf, Optional } from '@svc/contracts/schema/decorators/index';
import { invalid } from '@svc/kernel';
import { onlyBearer, reading, validatedBody, type AddRoutes } from '@svc/service';
import { deliveriesOf, endpointsOf, failingEndpoints, type OperatorsContext, resendDelivery } from './listing.ts';

const STATUSES = ['pending', 'succeeded', 'failed', 'cancelled'] as const;

class OfAccount {
  @Optional() @IsText(100) account?: string;
  @Optional() @OneOf(['true']) failing?: 'true';
  @Optional() @IsText(100) after?: string;
}

class OfEndpoint {
  @IsText(100) endpoint: string;
  @Optional() @OneOf(STATUSES) status?: (typeof STATUSES)[number];
  @Optional() @IsText(100) before?: string;
}

class Resending {
  @IsText(100) endpoint: string;
  @IsText(100) delivery: string;
}

/** `/admin/webhooks` of the operators' port: endpoints and deliveries. Requires the bearer token `OPS_TOKEN`; if it is not set, every request is answered with 403. */
export const webhookRoutes =
  (of: OperatorsContext, token: string | undefined): AddRoutes =>
  async (ops) => {
    const [ofAccount, ofEndpoint] = [reading(OfAccount), reading(OfEndpoint)];
    await ops.register(
      async (admin) => {
        admin.addHook('onRequest', onlyBearer('OPS_TOKEN', token));
        admin.get('/endpoints', async ({ query }) => {
          const { account, failing, after } = ofAccount(query);
          if ((account === undefined) === (failing === undefined)) throw invalid({ account: ['Send either an account or failing=true.'] });
          return account === undefined ? failingEndpoints(of) : endpointsOf(of, account, after);
        });
        admin.get('/deliveries', async ({ query }) => deliveriesOf(of, ofEndpoint(query)));
        admin.post('/resend', validatedBody(Resending), async ({ body }) => resendDelivery(of, body as Resending));
      },
      { prefix: '/admin/webhooks' },
    );
  };
