import { Controller, Get, Param, Res } from '@nestjs/common';
import { DomainError } from '@svc/kernel';
import { listEnvelope, type RequestOf, Serves } from '@svc/service';
import type { FastifyReply, FastifyRequest } from 'fastify';

export interface StubDocument {
  id: string;
  number: string | null;
  type: string;
  status: string;
  issue_date: string;
  customer?: { name: string; tax_id: string | null };
  updated_at?: string;
  fiscal?: { status: string; late: boolean };
  total: number;
}

/** Documents of a stub service, and what was asked of it. Tests change them. */
export interface StubDocuments {
  invoices: StubDocument[];
  receipts: StubDocument[];
  /** Before each answer, by its path without `/v1`, and how many documents it has at most. */
  before(path: string, size: number): void | Promise<void>;
  /** Ids of documents that have no PDF. */
  unprintable: Set<string>;
}

export const stubDocuments = (): StubDocuments => ({ invoices: [], receipts: [], before: () => undefined, unprintable: new Set() });

/** A controller of lists of documents and their PDFs, by the filters that exports use. */
export function documentsService(documents: StubDocuments): new () => object {
  const page = async (request: RequestOf<'GET /invoices'> | RequestOf<'GET /receipts'>, path: string, all: readonly StubDocument[]) => {
    await documents.before(path, request.query.per_page);
    const { issue_from: from = '', issue_to: to = '9999-12-31', type, status, fiscal_status, page: n, per_page: size } = request.query;
    const wanted = (values: readonly string[] | undefined, value: string): boolean => values === undefined || values.includes(value);
    const found = all
      .filter((one) => one.issue_date >= from && one.issue_date <= to && wanted(type, one.type) && wanted(status, one.status))
      .filter((one) => wanted(fiscal_status, one.fiscal?.status ?? 'registered'))
      .sort((a, b) => (a.issue_date < b.issue_date ? -1 : a.issue_date > b.issue_date ? 1 : 0));
    return listEnvelope({ publicUrl: 'http://test', request, total: found.length, data: found.slice((n - 1) * size, n * size) }) as never;
  };

  @Controller()
  class DocumentsService {
    @Serves('GET /issuer')
    issuer() {
      const setup = { ready: true, steps: [] };
      return { time_zone: 'UTC', currency: 'EUR', units: [], authority: 'sandbox', livemode: false, setup } as never;
    }

    @Serves('GET /invoices')
    invoices(request: RequestOf<'GET /invoices'>) {
      return page(request, '/invoices', documents.invoices);
    }

    @Serves('GET /receipts')
    receipts(request: RequestOf<'GET /receipts'>) {
      return page(request, '/receipts', documents.receipts);
    }

    @Serves('GET /invoices/{id}/pdf')
    async pdf({ params: { id } }: FastifyRequest<{ Params: { id: string } }>) {
      await documents.before(`/invoices/${id}/pdf`, 1);
      if (documents.unprintable.has(id)) throw new DomainError('not_representable', 'This has no PDF.');
      return { object: 'file', url: `http://test/files/invoicing.${id}`, expires_at: '2026-01-15T12:15:00.000Z' } as never;
    }

    @Get('/files/invoicing.:id')
    async file(@Param('id') id: string, @Res() reply: FastifyReply): Promise<void> {
      await reply.header('content-type', 'application/pdf').send(Buffer.from(`%PDF- of ${id}`));
    }
  }
  return DocumentsService;
}
