import { Controller, Inject, Req } from '@nestjs/common';
import type { PageQuery } from '@svc/contracts/http/page';
import type { ReportQuery } from '@svc/contracts/report/query';
import { listEnvelope, listFrame, Serves } from '@svc/service';
import type { FastifyRequest } from 'fastify';
import { REPORTING, type ReportingContext } from '../context.ts';
import { reportAnswer } from './answer.ts';
import { runReport } from './run.ts';
import { reportNamed, served } from './served.ts';

@Controller()
export class ReportsController {
  constructor(@Inject(REPORTING) private readonly context: ReportingContext) {}

  @Serves('GET /reports')
  catalogue(@Req() request: FastifyRequest) {
    const { page, per_page } = request.query as PageQuery;
    const data = served
      .slice((page - 1) * per_page, page * per_page)
      .map(({ name, description }) => ({ object: 'report_type', report: name, description }));
    return listEnvelope({ publicUrl: this.context.publicUrl, request, total: served.length, data });
  }

  @Serves('GET /reports/{report}')
  async read(@Req() request: FastifyRequest<{ Params: { report: string } }>) {
    const report = reportNamed(request.params.report);
    const query = request.query as ReportQuery;
    const { head, rows, totals } = await runReport(this.context, request, report);
    const { page, per_page: perPage, cite: cites = false } = query;
    const frame = listFrame({ publicUrl: this.context.publicUrl, request, total: rows.length });
    return reportAnswer({ head, rows: rows.slice((page - 1) * perPage, page * perPage), cites, tail: { totals, ...frame } });
  }
}
