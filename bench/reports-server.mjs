// Sends files of a data folder's reports: /sales (cited documents by customer), /numbering. ?plain: without sums, as where blocks have changed since `known_at`. /postings: reads them all once.
// Started by reports-files.mjs; ends with its parent.
import 'reflect-metadata';
import { createServer } from 'node:http';
import { once } from 'node:events';
import { Readable } from 'node:stream';
import { embeddedDocumentStore } from '@svc/document-store';
import { Engine } from '@svc/embedded';
import { nextTurn } from '@svc/kernel';
import { blockIndexes } from '@svc/reporting/postings/block';
import { openLedger } from '@svc/reporting/postings/ledger';
import { csvPieces } from '@svc/service/files/csv-file';
import { linesOf } from '@svc/reporting/reports/files/lines';
import { reportNamed } from '@svc/reporting/reports/served';
import { ACCOUNT } from './reports-seed.mjs';

const engine = Engine.open(process.argv[2]);
const documents = embeddedDocumentStore(engine, 'svc_reporting');
const ledger = openLedger(documents);
const unsummed = { ...ledger, blocks: documents.collection('no_blocks_v1', { indexes: blockIndexes }) };
let open = 0;

const server = createServer(async (request, response) => {
  const { pathname, search } = new URL(request.url, 'http://localhost');
  if (pathname === '/postings') {
    const all = ledger.postings.find({ ...ACCOUNT, issued_on: { $gt: '' } }, { sort: { issued_on: 1, _id: 1 } });
    for await (const _ of all);
    return void response.end();
  }
  const report = reportNamed(pathname.slice(1));
  const cites = pathname === '/sales';
  const question = {
    ...ACCOUNT,
    ...{ from: '2026-01-01', to: '2026-12-31', as_of: '2026-12-31', known_at: '9999-12-31T00:00:00.000Z', kind: 'all' },
    ...{ currency: undefined, grouping: cites ? 'customer' : undefined, cites },
  };
  open += 1;
  const { columns, lines } = await linesOf(report, {
    ...question,
    ledger: search === '?plain' ? unsummed : ledger,
    turn: () => nextTurn(ACCOUNT.account),
  });
  const body = Readable.from(csvPieces(columns, lines), { highWaterMark: 1 });
  body.once('close', () => (open -= 1));
  response.once('close', () => body.destroy());
  body.pipe(response);
}).listen(0, '127.0.0.1');
await once(server, 'listening');
process.on('message', () => process.send({ open }));
process.once('disconnect', () => {
  engine.close();
  process.exit(0);
});
process.send({ url: `http://127.0.0.1:${server.address().port}` });
