import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { connect, createServer, type Socket } from 'node:net';
import { pipeline } from 'node:stream';
import { takeNamespaces } from '@svc/document-store/testing/namespace';
import { brokers, KafkaFixture } from '@svc/event-bus/testing/kafka-fixture';
import { createIds, systemClock } from '@svc/kernel';
import { freePort } from '@svc/kernel/testing/free-port';
import { createIdentitySigner, internalKeys } from '@svc/service';
import { INTERNAL_KEYS, startReporting } from './testing/reporting-process.ts';

const { url: mongoUrl, drop } = takeNamespaces();
let fixture: KafkaFixture;
beforeAll(async () => {
  fixture = await KafkaFixture.create();
});
afterAll(async () => {
  await fixture.close();
  await drop();
});

const identity = createIdentitySigner(internalKeys(INTERNAL_KEYS), systemClock)(
  {
    account: 'acct_1',
    env: 'test',
    livemode: false,
    permissions: ['*'],
    actor: { type: 'api_key', id: 'key_1' },
    requestId: 'req_1',
    commandId: createIds(systemClock).next(),
  },
  'reporting',
);

/** A proxy to a server, closed until it is opened. */
async function closedWay(): Promise<{ port: number; open(target: URL): Promise<() => void> }> {
  const port = await freePort();
  return {
    port,
    async open({ hostname, port: to }) {
      const clients = new Set<Socket>();
      const server = createServer((client) => {
        clients.add(client);
        pipeline(client, connect(Number(to), hostname), client, () => undefined);
      }).listen(port, '127.0.0.1');
      await once(server, 'listening');
      return () => {
        server.close();
        for (const client of clients) client.destroy();
      };
    },
  };
}

const servers = () => ({ NAMESPACE: fixture.namespace, MONGODB_URL: mongoUrl, KAFKA_BROKERS: brokers().join(',') });
const ready = ({ status }: { status: number }): boolean => status === 200;

describe('a service on real servers', () => {
  test('that are missing at its start: becomes ready by itself, and names the missing server in turn', async () => {
    const [mongo, kafka] = [await closedWay(), await closedWay()];
    const process = await startReporting({
      ...servers(),
      MONGODB_URL: `mongodb://127.0.0.1:${mongo.port}/?directConnection=true`,
      KAFKA_BROKERS: `127.0.0.1:${kafka.port}`,
    });
    const away = await process.until(({ checks }) => checks.mongodb !== undefined && checks.mongodb !== 'ok');
    expect(away.status).toBe(503);
    const ways = [await mongo.open(new URL(mongoUrl))];
    const waiting = await process.until(({ checks }) => checks.http === 'ok' && checks.mongodb === 'ok');
    expect([waiting.status, waiting.checks.kafka === 'ok']).toEqual([503, false]);
    ways.push(await kafka.open(new URL(`tcp://${brokers()[0]}`)));
    expect((await process.until(ready)).checks).toEqual({ http: 'ok', mongodb: 'ok', kafka: 'ok', reporting: 'ok', postings: 'ok' });
    ways[1]?.();
    const alone = await process.until(({ checks }) => checks.kafka !== 'ok');
    expect(alone.status).toBe(200);
    process.child.kill('SIGTERM');
    expect(await process.ended).toBe(0);
    ways[0]?.();
  });

  test('serves requests with the gateway’s identity; after SIGTERM completes requests on kept connections and refuses new ones', async () => {
    const { url, child, ended, until, said } = await startReporting(servers());
    await until(ready);
    expect((await fetch(`${url}/v1/reports/sales`)).status).toBe(401);
    const outcomes = new Map<string, number>();
    let over = false;
    const client = async (_: unknown, n: number): Promise<void> => {
      const agent = new Agent({ keepAlive: true, maxSockets: 1 });
      while (!over) {
        const outcome = await ask(agent, `${url}/v1/reports/sales`);
        outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
        await systemClock.sleep(Math.random() * (n < 3 ? 30 : 1_000));
      }
    };
    const clients = Array.from({ length: 10 }, client);
    await systemClock.sleep(500);
    child.kill('SIGTERM');
    expect(await ended).toBe(0);
    while (!outcomes.has('ECONNREFUSED')) await systemClock.sleep(20);
    over = true;
    await Promise.all(clients);
    expect([...outcomes.keys()].sort()).toEqual(['200', 'ECONNREFUSED']);
    expect(said()).not.toMatch(/"level":[56]0/);
  });
});

function ask(agent: Agent, url: string): Promise<string> {
  return new Promise((resolve) => {
    request(url, { agent, headers: { 'x-svc-identity': identity } }, (answer) => {
      answer.resume().on('end', () => resolve(String(answer.statusCode)));
    })
      .on('error', ({ code = 'unknown' }: NodeJS.ErrnoException) => resolve(code))
      .end();
  });
}
