import { internalKeys } from '@svc/service';
import { type Framing, responseIn, sendThenRead } from '@svc/service/boot/testing/sender';
import { code } from '../testing/call.ts';
import { EdgeApp, ways } from '../testing/edge-app.ts';
import { ProxySystem } from '../testing/proxy-system.ts';
import { made } from '../testing/stub-service.ts';

const MB = 1_000_000;
const codeIn = ({ body }: { body: Record<string, unknown> }): unknown => body.code ?? (body.error as { code?: unknown } | undefined)?.code;

describe.each(ways)('%s, a client that sends its whole body before it reads gets', (way) => {
  let edge: EdgeApp;
  beforeAll(async () => {
    edge = await EdgeApp.start({}, way);
  });
  afterAll(() => edge.stop());

  const answerTo = async (size: number, head: string[], framing?: Framing) => {
    const { got, error } = await sendThenRead({ port: edge.port, size, head, ...(framing && { framing }) });
    expect(error).toBeUndefined();
    return responseIn(got);
  };

  test.each<Framing>(['Content-Length', 'chunked'])('413 of 8 MB with %s', async (framing) => {
    const { testKey } = await edge.account();
    const answer = await answerTo(8 * MB, [`Authorization: Bearer ${testKey}`, 'Accept: application/problem+json'], framing);
    expect([answer.status, codeIn(answer)]).toEqual([413, 'payload_too_large']);
    expect(answer.head).toMatch(/content-type: application\/problem\+json/);
  });

  test('401 of 5 MB with a wrong key', async () => {
    const answer = await answerTo(5 * MB, ['Authorization: Bearer svc_test_wrong']);
    expect([answer.status, codeIn(answer)]).toEqual([401, 'invalid_api_key']);
    expect(answer.head).toMatch(/connection: close/i);
  });

  test('415 of 5 MB that are encoded, of unknown length', async () => {
    const { testKey } = await edge.account();
    const answer = await answerTo(5 * MB, [`Authorization: Bearer ${testKey}`, 'Content-Encoding: gzip'], 'chunked');
    expect([answer.status, codeIn(answer)]).toEqual([415, 'unsupported_media_type']);
  });

  test('429 of 5 MB', async () => {
    const { testKey, call } = await edge.account({ limits: { plan: 1, burst: 100 } });
    await call('GET', '/v1/account');
    const answer = await answerTo(5 * MB, [`Authorization: Bearer ${testKey}`]);
    expect([answer.status, codeIn(answer)]).toEqual([429, 'rate_limit_exceeded']);
  });
});

describe('a service that answers the gateway before it has read the body', () => {
  let system: ProxySystem;
  beforeEach(() => void (system = new ProxySystem()));
  afterEach(() => system.stop());

  test('its response arrives, and no write counts as sent and lost', async () => {
    const work = { commands: [], run: made };
    const keys = internalKeys(`k1:${Buffer.alloc(32, 8).toString('base64')}`); // it does not accept the gateway's identity
    const { call } = await (await system.gateway([(await system.stub(work, { keys })).origin])).account();
    const raw = `{"requests":[{}${' '.repeat(1024 * 1024 - 20)}]}`;
    for (let n = 0; n < 5; n += 1) expect(code(await call('POST', '/v1/customers/batch', { raw }))).toBe('503 service_unavailable');
    expect(work.commands).toEqual([]);
  });
});
