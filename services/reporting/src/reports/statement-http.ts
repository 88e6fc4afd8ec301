import { Controller, Inject } from '@nestjs/common';
import type { StatementItem, StatementTotal } from '@svc/contracts/report/statement';
import { iso, soon } from '@svc/kernel';
import { listFrame, type RequestOf, Serves } from '@svc/service';
import { REPORTING, type ReportingContext } from '../postings/context.ts';
import { FILES, type Files } from './files/files.ts';
import { askedOf, fixed } from './run.ts';
import { openItems } from './statement/statement.ts';

type StatementRequest = RequestOf<'GET /customers/{id}/statement'>;
type Item = StatementItem & { customer_name: string | null };

@Controller()
export class StatementController {
  constructor(
    @Inject(REPORTING) private readonly context: ReportingContext,
    @Inject(FILES) private readonly files: Files,
  ) {}

  @Serves('GET /customers/{id}/statement')
  async read(request: StatementRequest) {
    const { identity, query, params } = request;
    const { as_of, currency, format } = query;
    const asked = await askedOf(this.context, { query: { as_of, currency }, identity });
    const question = { ...asked.question, customer: params.id };
    if (format === 'pdf') return this.files.linkToPdf(await fixed(this.context, { ...asked, question }));
    if (format === 'csv') return this.files.linkTo('statement', await fixed(this.context, { ...asked, question }));
    const page = { skip: (query.page - 1) * query.per_page, limit: query.per_page };
    const reading = { ...question, page, ledger: this.context, turn: request.turn ?? soon };
    const { rows, total, totals, customer_name } = await openItems(reading);
    return {
      object: 'statement' as const,
      livemode: identity.livemode,
      customer_id: params.id,
      customer_name,
      as_of: question.as_of,
      ...{ time_zone: asked.time_zone, position: asked.position },
      generated_at: iso(this.context.clock.now()),
      data: rows.map((row) => {
        const { customer_name: _, ...item } = row.fields() as unknown as Item;
        return item;
      }),
      totals: totals as StatementTotal[],
      ...listFrame({ publicUrl: this.context.publicUrl, request, total }),
    };
  }
}
