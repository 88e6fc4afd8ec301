import { get, type IncomingMessage } from 'node:http';
import { soon } from '@svc/kernel';
import { listEnvelope, listPage, type ListRequest } from '@svc/service';
import type { GatewayApp } from '../testing/gateway-app.ts';
import { ProxySystem } from '../testing/proxy-system.ts';
import { made, type Work } from '../testing/stub-service.ts';

const KIB = 1024;
const rowsOf = (kib: number) => Array.from({ length: 100 }, (_, n) => ({ id: `row_${n}`, text: 'x'.repeat(kib * KIB) }));
let rows: ReturnType<typeof rowsOf>;

let system: ProxySystem;
let gateway: GatewayApp;
let key: string;
/** Rows of the list that the service has produced, and whether it continues. */
let read: number;
let ended: boolean;
let onRead: (n: number) => void;

const list = (request: ListRequest): object => {
  const options = { publicUrl: 'http://test', request, total: rows.length };
  if (request.url.includes('whole')) return listEnvelope({ ...options, data: rows });
  const chunks = async function* () {
    try {
      for (const row of rows) {
        read += 1;
        onRead(read);
        yield [row];
      }
    } finally {
      ended = true;
    }
  };
  const page = { docs: [], left: rows.map(({ id }) => id) };
  return listPage({ ...options, page, read: chunks, turn: soon, toResource: (row) => row });
};

beforeEach(async () => {
  system = new ProxySystem();
  [read, ended, onRead, rows] = [0, false, () => undefined, rowsOf(277)];
  const work: Work = { commands: [], run: made, list };
  gateway = await system.gateway([(await system.stub(work)).origin]);
  key = (await gateway.account()).testKey;
});
afterEach(() => system.stop());

const open = (path = '/v1/customers', method = 'GET'): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${key}` };
    get({ host: '127.0.0.1', port: gateway.port, path, method, headers, agent: false }, resolve).on('error', reject);
  });
async function textOf(response: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = [];
  try {
    for await (const piece of response) pieces.push(piece as Buffer);
  } catch {
    return 'cut';
  }
  return Buffer.concat(pieces).toString();
}
const later = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
const until = async (holds: () => boolean): Promise<void> => {
  for (let n = 0; !holds(); n += 1) {
    if (n > 6_000) throw new Error('it does not come to that');
    await later(10);
  }
};

/** Resolves with the number when it has not changed for a second. */
async function atRest(count: () => number): Promise<number> {
  let last = count();
  for (let same = 0; same < 100;) {
    await later(10);
    same = count() === last && last > 0 ? same + 1 : 0;
    last = count();
  }
  return last;
}

describe('a large list through the gateway', () => {
  test('equals the list in one piece', async () => {
    const streamed = await open();
    expect([streamed.statusCode, streamed.headers['content-type']]).toEqual([200, 'application/json; charset=utf-8']);
    const [page, whole] = [await textOf(streamed), await textOf(await open('/v1/customers?q=whole'))];
    expect(page.length).toBeGreaterThan(rows.length * 277 * KIB);
    expect(page === whole.replaceAll('q=whole&', '')).toBe(true);
  });

  test('is produced no faster than it is read', async () => {
    // What is produced and not read yet is in buffers: the kernel holds up to 38 MB of each of two connections (tcp_rmem, tcp_wmem).
    rows = rowsOf(1_400);
    const response = await open();
    expect(await atRest(() => read)).toBeLessThan(rows.length * 0.9);
    expect((await textOf(response)).length).toBeGreaterThan(rows.length * 1_400 * KIB);
  });

  test('that fails midway breaks the transfer', async () => {
    onRead = (n) => {
      if (n === 60) throw new Error('the disk is gone');
    };
    expect(await textOf(await open())).toBe('cut');
  });

  test('ends when its reader disconnects', async () => {
    const response = await open();
    await until(() => read > 0);
    response.destroy();
    await until(() => ended);
    expect(read).toBeLessThan(rows.length);
  });

  test('is not read for HEAD', async () => {
    const response = await open('/v1/customers', 'HEAD');
    expect([response.statusCode, response.headers['content-type'], await textOf(response)]).toEqual([
      ...[200, 'application/json; charset=utf-8', ''],
    ]);
    await until(() => ended || read < rows.length);
    expect(read).toBeLessThan(rows.length);
  });
});
