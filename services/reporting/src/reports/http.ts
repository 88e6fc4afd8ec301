import { Controller, Inject } from '@nestjs/common';
import type { ReportTypeResource } from '@svc/contracts/report/resource';
import { listEnvelope, listFrame, type RequestOf, Serves } from '@svc/service';
import { REPORTING, type ReportingContext } from '../facts/context.ts';
import { reportAnswer } from './answer.ts';
import { runReport } from './run.ts';
import { reportNamed, served } from './served.ts';

@Controller()
export class ReportsController {
  constructor(@Inject(REPORTING) private readonly context: ReportingContext) {}

  @Serves('GET /reports')
  catalogue(request: RequestOf<'GET /reports'>) {
    const { page, per_page } = request.query;
    const data = served
      .slice((page - 1) * per_page, page * per_page)
      .map(({ name, description }): ReportTypeResource => ({ object: 'report_type', report: name, description }));
    return listEnvelope({ publicUrl: this.context.publicUrl, request, total: served.length, data });
  }

  @Serves('GET /reports/{report}')
  async read(request: RequestOf<'GET /reports/{report}'>) {
    const report = reportNamed(request.params.report);
    const { head, rows, totals } = await runReport(this.context, request, report);
    const { page, per_page: perPage, cite: cites = false } = request.query;
    const frame = listFrame({ publicUrl: this.context.publicUrl, request, total: rows.length });
    return reportAnswer({ head, rows: rows.slice((page - 1) * perPage, page * perPage), cites, tail: { totals, ...frame } });
  }
}
