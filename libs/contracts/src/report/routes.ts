import { DocumentFileResource } from '../document/file.ts';
import { ListOf } from '../http/list.ts';
import { PageQuery } from '../http/page.ts';
import type { Rows } from '../http/route.ts';
import { ReportQuery } from './query.ts';
import { ReportResource, ReportTypeResource } from './resource.ts';

export const reports = {
  'GET /reports': {
    permission: 'reports:read',
    ok: 200,
    service: 'reporting',
    query: PageQuery,
    response: ListOf(ReportTypeResource),
    summary: 'List the reports there are.',
  },
  'GET /reports/{report}': {
    permission: 'reports:read',
    ok: 200,
    service: 'reporting',
    cost: ['reports'],
    query: ReportQuery,
    response: ReportResource,
    file: DocumentFileResource,
    summary: 'Run a report.',
  },
} satisfies Rows;
