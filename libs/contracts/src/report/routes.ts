import { DocumentFileResource } from '../document/file.ts';
import { ListOf } from '../http/list.ts';
import { PageQuery } from '../http/page.ts';
import type { Rows } from '../http/route.ts';
import { ReportQuery, StatementQuery } from './query.ts';
import { ReportResource, ReportTypeResource } from './resource.ts';
import { StatementResource } from './statement.ts';

export const reports = {
  'GET /reports': {
    permission: 'reports:read',
    service: 'reporting',
    query: PageQuery,
    response: ListOf(ReportTypeResource),
    summary: 'List the reports there are.',
  },
  'GET /reports/{report}': {
    permission: 'reports:read',
    service: 'reporting',
    cost: ['reports'],
    query: ReportQuery,
    response: ReportResource,
    file: DocumentFileResource,
    summary: 'Run a report.',
  },
  'GET /customers/{id}/statement': {
    permission: 'reports:read',
    service: 'reporting',
    cost: ['reports'],
    query: StatementQuery,
    response: StatementResource,
    file: DocumentFileResource,
    summary: 'List the open invoices of a customer as of a day. A customer without invoices has none.',
  },
} satisfies Rows;
