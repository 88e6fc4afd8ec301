import { get, type IncomingMessage } from 'node:http';
import { soon } from '@svc/kernel';
import { until } from '@svc/kernel/testing/until';
import { listPage, type ListRequest } from '@svc/service';
import { type Call, EdgeApp, ways } from '../testing/edge-app.ts';
import { ProxySystem } from '../testing/proxy-system.ts';
import { httpAnswer } from '../testing/raw-upstream.ts';

const KIB = 1024;
const prefer = { prefer: 'amounts=string' };
const invoice = {
  object: 'invoice',
  status: 'draft',
  version: 3,
  total: 12.5,
  items: [{ quantity: 2, unit_price: 1e-8 }],
  metadata: { total: '1' },
};
const asText =
  '{"object":"invoice","status":"draft","version":3,"total":"12.5","items":[{"quantity":"2","unit_price":"0.00000001"}],"metadata":{"total":"1"}}';

describe.each(ways)('%s', (way) => {
  let edge: EdgeApp;
  let call: Call;
  let testKey: string;
  beforeAll(async () => {
    edge = await EdgeApp.start({}, way);
    edge.work.run = async () => invoice;
  });
  beforeEach(async () => {
    ({ call, testKey } = await edge.account());
  });
  afterAll(() => edge.stop());

  const read = (header?: string) => call('GET', '/v1/invoices/inv_1', header === undefined ? {} : { headers: { prefer: header } });

  test.each(['amounts=string', 'respond-async, Amounts="string"; q=1', 'note="a, amounts=number", amounts = string'])(
    'Prefer: %s',
    async (header) => {
      const { status, headers, text } = await read(header);
      expect([status, headers['preference-applied'], headers['etag'], text]).toEqual([200, 'amounts=string', '"3"', asText]);
      expect(headers['content-length']).toBe(String(asText.length));
    },
  );

  test.each([undefined, 'amounts=number', 'amounts', 'amounts=strings', 'amounts=number, amounts=string', 'note="amounts=string"', ''])(
    'Prefer: %s leaves numbers',
    async (header) => {
      const { status, headers, text } = await read(header);
      expect([status, headers['preference-applied'], text]).toEqual([200, undefined, JSON.stringify(invoice)]);
    },
  );

  test('HEAD has the headers of GET', async () => {
    const { status, headers, text } = await call('HEAD', '/v1/invoices/inv_1', { headers: prefer });
    expect([status, headers['preference-applied'], headers['etag'], text]).toEqual([200, 'amounts=string', '"3"', '']);
    expect(headers['content-length']).toBe(String(asText.length));
  });

  test.each([
    ['/v1/customers/cust_1', 404],
    ['/v1/nothing', 404],
    ['/v1/customers', 200],
    ['/v1/account', 200],
  ])('is not applied to %s, which is %d without an amount', async (path, expected) => {
    const { status, headers } = await call('GET', path, { headers: prefer });
    expect([status, headers['preference-applied']]).toEqual([expected, undefined]);
  });

  test('a repeat under an Idempotency-Key has the form of the first, whatever it prefers', async () => {
    const preview = (key: string, headers = {}) =>
      call('POST', '/v1/invoices/preview', { body: { items: [{ unit_price: 1 }] }, headers: { 'idempotency-key': key, ...headers } });
    for (const [first, then, type, applied] of [
      [prefer, {}, 'string', 'amounts=string'],
      [{}, prefer, 'number', undefined],
    ] as const) {
      const [made, again] = [await preview(`${type}-first`, first), await preview(`${type}-first`, then)];
      expect([made.status, again.headers['idempotent-replayed'], again.text]).toEqual([200, 'true', made.text]);
      expect(typeof made.body['total']).toBe(type);
      expect([made, again].map(({ headers }) => headers['preference-applied'])).toEqual([applied, applied]);
    }
  });

  test('a response in one piece of several hundred KiB', async () => {
    const items = Array.from({ length: 5_000 }, (_, n) => ({ description: `"${n}" é`, quantity: n, n }));
    edge.work.run = async () => ({ ...invoice, items });
    const { body } = await read('amounts=string');
    edge.work.run = async () => invoice;
    expect(body['items']).toEqual(items.map((item) => ({ ...item, quantity: String(item.quantity) })));
  });

  describe('a list that is sent as it is made', () => {
    const rows = Array.from({ length: 100 }, (_, n) => ({
      id: `prod_${n}`,
      unit_price: n / 8,
      text: `"unit_price":1 ${'é'.repeat(138 * KIB)}`,
    }));
    /** Rows that the service has produced, and whether it goes on. */
    let produced: number;
    let ended: boolean;
    let onRow: (n: number) => void;

    const listOf =
      (rows: readonly object[]) =>
      (request: ListRequest): object => {
        const chunks = async function* () {
          try {
            for (const row of rows) {
              produced += 1;
              onRow(produced);
              yield [row];
            }
          } finally {
            ended = true;
          }
        };
        const page = { docs: [], left: rows.map((_, n) => `prod_${n}`) };
        return listPage({
          publicUrl: 'http://test',
          request,
          total: rows.length,
          page,
          read: chunks,
          turn: soon,
          toResource: (row) => row,
        });
      };
    beforeEach(() => {
      [produced, ended, onRow] = [0, false, () => undefined];
      edge.work.list = listOf(rows);
    });

    const open = (): Promise<IncomingMessage> =>
      new Promise((resolve, reject) => {
        const headers = { authorization: `Bearer ${testKey}`, ...prefer };
        get({ host: '127.0.0.1', port: edge.port, path: '/v1/products', headers, agent: false }, resolve).on('error', reject);
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

    test('has every amount as text, and is otherwise the same', async () => {
      const response = await open();
      expect([response.statusCode, response.headers['preference-applied']]).toEqual([200, 'amounts=string']);
      const { data, meta } = JSON.parse(await textOf(response)) as { data: unknown[]; meta: object };
      expect(data).toEqual(rows.map((row) => ({ ...row, unit_price: String(row.unit_price) })));
      expect(meta).toMatchObject({ total: 100 });
    });

    test('is produced no faster than it is read', async () => {
      // The kernel holds up to 38 MB of each of two connections (tcp_rmem, tcp_wmem).
      const large = Array.from({ length: 100 }, (_, n) => ({ unit_price: n / 8, text: 'é'.repeat(700 * KIB) }));
      edge.work.list = listOf(large);
      const response = await open();
      let before = -1;
      while (produced === 0 || before !== produced) {
        before = produced;
        await later(500);
      }
      expect(produced).toBeLessThan(large.length * 0.9);
      expect((await textOf(response)).length).toBeGreaterThan(large.length * 700 * KIB);
    });

    test('that fails midway breaks the transfer', async () => {
      onRow = (n) => {
        if (n === 60) throw new Error('the disk is gone');
      };
      expect(await textOf(await open())).toBe('cut');
    });

    test('ends when its reader disconnects', async () => {
      const response = await open();
      await until(() => produced > 0);
      response.destroy();
      await until(() => ended);
      expect(produced).toBeLessThan(rows.length);
    });
  });
});

describe('a response whose service says how long it is', () => {
  let system: ProxySystem;
  beforeEach(() => void (system = new ProxySystem()));
  afterEach(() => system.stop());

  test.each([1, 3_000])('has the length of its text: %d products', async (count) => {
    const numbers = JSON.stringify({ data: Array(count).fill({ object: 'product', unit_price: 12.5 }) });
    const upstream = await system.raw((socket) => socket.write(httpAnswer('200 OK', numbers)));
    const { call } = await (await system.gateway([upstream.origin])).account();
    const texts = numbers.replaceAll('12.5', '"12.5"');
    const { text, headers } = await call('GET', '/v1/products', { headers: prefer });
    expect([text === texts, headers['content-length'] ?? String(texts.length)]).toEqual([true, String(texts.length)]);
  });
});
