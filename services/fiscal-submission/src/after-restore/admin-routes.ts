import { IsFlag, IsText, Matches, OneOf, Optional } from '@svc/contracts/schema/decorators/index';
import { onlyBearer, reading, validatedBody, type AddRoutes } from '@svc/service';
import { compareChain, listChains, openChain, restartChain, type ChainContext } from './operators.ts';

class Listing {
  @Optional() @OneOf(['true', 'false']) open?: 'true' | 'false';
  @Optional() @IsText(1_000) after?: string;
}

class Deciding {
  @IsText(1_000) chain: string;
  @Optional() @IsFlag() confirm?: boolean;
}

class Comparing {
  @IsText(1_000) chain: string;
  @Matches('^[0-9]{4}-(0[1-9]|1[0-2])$', 7, 'Send a month, yyyy-mm.') month: string;
}

/** `/admin/chains` of the operators' port: chains of records after a restore. Requires the bearer token `OPS_TOKEN`; if it is not set, every request is answered with 403. */
export const chainRoutes =
  (context: ChainContext, token: string | undefined): AddRoutes =>
  async (ops) => {
    const listing = reading(Listing);
    await ops.register(
      async (admin) => {
        admin.addHook('onRequest', onlyBearer('OPS_TOKEN', token));
        admin.get('/', async ({ query }) => {
          const { open, after } = listing(query);
          return { data: await listChains(context, open === 'true', after) };
        });
        admin.post('/compare', validatedBody(Comparing), async ({ body }) => compareChain(context, body as Comparing));
        admin.post('/restart', validatedBody(Deciding), async ({ body }) => restartChain(context, decided(body as Deciding)));
        admin.post('/open', validatedBody(Deciding), async ({ body }) => openChain(context, decided(body as Deciding)));
      },
      { prefix: '/admin/chains' },
    );
  };

const decided = ({ chain, confirm = false }: Deciding): { chain: string; confirm: boolean } => ({ chain, confirm });
