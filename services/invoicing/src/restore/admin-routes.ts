import { IsDay, IsFlag, IsText, IsWhole, Optional } from '@svc/contracts/schema/decorators/index';
import { onlyBearer, validatedBody, type AddRoutes } from '@svc/service';
import { listSeries, noteSeries, raiseSeries, type SeriesContext } from './series-numbers.ts';

class AccountSeries {
  @IsText(100) account: string;
  @IsFlag() livemode: boolean;
}

class RaisedSeries {
  @IsText(1_000) series: string;
  @IsWhole({ min: 0, max: 999_999_999_999 }) last: number;
  @Optional() @IsDay() issue_date?: string;
  @Optional() @IsFlag() confirm?: boolean;
}

interface Listing {
  Querystring: { open?: string; after?: string };
}

/** `/admin/series` of the operators' port: the series after a restore. Requires the bearer token `OPS_TOKEN`; if it is not set, every request is answered with 403. */
export const seriesRoutes =
  (context: SeriesContext, token: string | undefined): AddRoutes =>
  async (ops) => {
    await ops.register(
      async (admin) => {
        admin.addHook('onRequest', onlyBearer('OPS_TOKEN', token));
        admin.get<Listing>('/', async ({ query }) => ({ data: await listSeries(context, query.open === 'true', query.after) }));
        admin.post('/note', validatedBody(AccountSeries), async ({ body }) => {
          const { account, livemode } = body as AccountSeries;
          return { data: await noteSeries(context, account, livemode ? 'live' : 'test') };
        });
        admin.post('/raise', validatedBody(RaisedSeries), async ({ body }) => {
          const { series, last, issue_date: issueDate, confirm = false } = body as RaisedSeries;
          return raiseSeries(context, { series, last, issueDate, confirm });
        });
      },
      { prefix: '/admin/series' },
    );
  };
