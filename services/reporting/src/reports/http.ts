import { Controller, Inject } from '@nestjs/common';
import type { ReportTypeResource } from '@svc/contracts/report/resource';
import { listEnvelope, listFrame, type RequestOf, Serves } from '@svc/service';
import { REPORTING, type ReportingContext } from '../postings/context.ts';
import { FILES, type Files } from './files/files.ts';
import { reportAnswer } from './answer.ts';
import type { Report } from './report.ts';
import { fixed, questionOf, runReport } from './run.ts';
import { reportNamed, served } from './served.ts';

@Controller()
export class ReportsController {
  constructor(
    @Inject(REPORTING) private readonly context: ReportingContext,
    @Inject(FILES) private readonly files: Files,
  ) {}

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
    if (request.query.format === 'csv') return this.link(request, report);
    const { head, rows, total, totals } = await runReport(this.context, request, report);
    const { cite: cites = false } = request.query;
    const frame = listFrame({ publicUrl: this.context.publicUrl, request, total });
    return reportAnswer({ head, rows, cites, tail: { totals, ...frame } });
  }

  /** The file is of what is known now, or at `known_at`, whenever it is fetched. */
  private async link(request: RequestOf<'GET /reports/{report}'>, { name }: Report) {
    return this.files.linkTo(name, await fixed(this.context, await questionOf(this.context, request, reportNamed(name))));
  }
}
