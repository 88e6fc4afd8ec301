import { IsDay, IsFlag, IsText, IsWhole, OneOf, Optional } from '@svc/contracts/schema/decorators/index';
import { onlyBearer, reading, validatedBody, type AddRoutes } from '@svc/service';
import { exportNumbers } from './export-numbers.ts';
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

class Listing {
  @Optional() @OneOf(['true', 'false']) open?: 'true' | 'false';
  @Optional() @IsText(1_000) after?: string;
}

class Exporting {
  @IsText(100) account: string;
  @OneOf(['true', 'false']) livemode: 'true' | 'false';
}

/** `/admin/series` of the operators' port: the series after a restore, and the export of all numbers. Requires the bearer token `OPS_TOKEN`; if it is not set, every request is answered with 403. */
export const seriesRoutes =
  (context: SeriesContext, token: string | undefined): AddRoutes =>
  async (ops) => {
    const [listing, exporting] = [reading(Listing), reading(Exporting)];
    await ops.register(
      async (admin) => {
        admin.addHook('onRequest', onlyBearer('OPS_TOKEN', token));
        admin.get('/', async ({ query }) => {
          const { open, after } = listing(query);
          return { data: await listSeries(context, open === 'true', after) };
        });
        admin.get('/numbers', async ({ query }, reply) => {
          const { account, livemode } = exporting(query);
          const lines = exportNumbers(context.store, { account, env: livemode === 'true' ? 'live' : 'test' });
          return reply.type('application/x-ndjson').send(lines);
        });
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
