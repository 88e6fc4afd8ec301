import { createLogger } from '@svc/service';
import { systemClock as clock } from '@svc/kernel';
import { ProxySystem } from '../testing/proxy-system.ts';
import { httpAnswer, RawUpstream } from '../testing/raw-upstream.ts';
import { followPods } from './follow-pods.ts';
import { createUpstream } from './upstream.ts';

const logger = createLogger({ level: 'silent', service: 'test' });
const answers = (socket: { write(text: string): boolean }): boolean => socket.write(httpAnswer('200 OK', '{"object":"customer"}'));

/** On one port of several addresses, as pods are. */
async function podsAt(addresses: string[]): Promise<RawUpstream[]> {
  const [first, ...rest] = addresses as [string, ...string[]];
  const pods = [await RawUpstream.start(answers, 0, first)];
  for (const address of rest) pods.push(await RawUpstream.start(answers, (pods[0] as RawUpstream).port, address));
  return pods;
}

describe('the addresses behind an origin', () => {
  test('share the requests evenly, one that is added too, and one that is gone gets none', async () => {
    const pods = await podsAt(['127.0.0.1', '127.0.0.2', '127.0.0.3']);
    const origin = `http://a-name-that-does-not-exist.invalid:${(pods[0] as RawUpstream).port}`;
    const upstream = createUpstream({ name: 'invoicing', origins: [origin], clock });
    const share = async (requests: number): Promise<number[]> => {
      const before = pods.map(({ requests: all }) => all.length);
      for (let n = 0; n < requests; n += 1) {
        const replica = upstream.next([], 'acct_1');
        const { statusCode, body } = await (replica as NonNullable<typeof replica>).pool.request({ method: 'GET', path: '/' });
        await body.text();
        expect(statusCode).toBe(200);
      }
      return pods.map(({ requests: all }, n) => all.length - (before[n] ?? 0));
    };
    upstream.leadsTo(origin, ['127.0.0.1', '127.0.0.2']);
    expect(await share(30)).toEqual([15, 15, 0]);
    upstream.leadsTo(origin, ['127.0.0.1', '127.0.0.2', '127.0.0.3']);
    expect(await share(30)).toEqual([10, 10, 10]);
    upstream.leadsTo(origin, ['127.0.0.3']);
    expect(await share(3)).toEqual([0, 0, 3]);
    upstream.leadsTo(origin, []);
    expect(upstream.replicas.map(({ address }) => address)).toEqual([undefined]);
    await upstream.close();
    for (const pod of pods) await pod.stop();
  });

  test('are asked for by the name beside the origin’s; where there is none, the origin is asked', async () => {
    const origins = ['http://local:3000', 'http://no-such-name.invalid:3000', 'http://127.0.0.1:3000'];
    const upstream = createUpstream({ name: 'invoicing', origins, clock });
    const end = followPods([upstream], { suffix: 'host', clock, logger });
    const addresses = (): (string | undefined)[] => upstream.replicas.map(({ address }) => address);
    while (!addresses().includes('127.0.0.1')) await clock.sleep(20);
    end();
    expect(upstream.replicas.map(({ origin, address }) => [origin, address]).sort()).toEqual(
      [
        ['http://local:3000', '127.0.0.1'],
        ['http://no-such-name.invalid:3000', undefined],
        ['http://127.0.0.1:3000', undefined],
      ].sort(),
    );
    await upstream.close();
  });
});

test('a gateway asks each pod, under the name of the Service', async () => {
  const system = new ProxySystem();
  const pod = await system.raw(answers);
  const { call } = await (await system.gateway([`http://local:${pod.port}`], {}, [], { podsSuffix: 'host' })).account();
  const status = async (): Promise<number> => (await call('GET', '/v1/customers')).status;
  expect(await status()).toBe(200);
  expect(pod.requests.at(-1)).toContain(`host: local:${pod.port}`);
  await system.stop();
});
