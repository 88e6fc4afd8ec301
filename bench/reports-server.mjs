// Sends files of a data folder's reports: /sales (cited documents by customer), /numbering. ?short: of one day. Started by reports-files.mjs; ends with its parent.
import 'reflect-metadata';
import { createServer } from 'node:http';
import { once } from 'node:events';
import { Readable } from 'node:stream';
import { embeddedDocumentStore } from '@svc/document-store';
import { Engine } from '@svc/embedded';
import { nextTurn } from '@svc/kernel';
import { openLedger } from '@svc/reporting/postings/ledger';
import { csvPieces } from '@svc/service/files/csv-file';
import { linesOf } from '@svc/reporting/reports/files/lines';
import { reportNamed } from '@svc/reporting/reports/served';
import { ACCOUNT } from './reports-seed.mjs';

const engine = Engine.open(process.argv[2]);
const ledger = openLedger(embeddedDocumentStore(engine, 'svc_reporting'));
let open = 0;

const server = createServer(async (request, response) => {
  const { pathname, search } = new URL(request.url, 'http://localhost');
  const report = reportNamed(pathname.slice(1));
  const cites = pathname === '/sales';
  const last = search ? '2026-01-01' : '2026-12-31';
  const question = {
    ...ACCOUNT,
    ...{ from: '2026-01-01', to: last, as_of: last, known_at: '9999-12-31T00:00:00.000Z', kind: 'all' },
    ...{ currency: undefined, grouping: cites ? 'customer' : undefined, cites },
  };
  open += 1;
  const { columns, lines } = await linesOf(report, { ...question, ledger, turn: () => nextTurn(ACCOUNT.account) });
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
