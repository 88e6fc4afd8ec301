import { webhookVectors } from '@svc/contracts/testing/webhook-vectors';
import { Webhook as Standard, WebhookVerificationError } from 'standardwebhooks';
import { Webhook as Svix, WebhookVerificationError as SvixError } from 'svix';
import { verifyWebhook } from './index.ts';

const NOW = 1_780_000_000;
const verifiers = { standardwebhooks: Standard, svix: Svix };
beforeEach(() => jest.useFakeTimers({ now: NOW * 1000 }));
afterEach(() => jest.useRealTimers());

/** Whether they take it; what they make of a genuine body is another thing. */
function takes(verify: () => unknown): boolean {
  try {
    verify();
  } catch (error) {
    if (error instanceof WebhookVerificationError || error instanceof SvixError) return false;
    if (!(error instanceof SyntaxError)) throw error;
  }
  return true;
}

/** They read every body as text. */
const isText = (base64: string): boolean => Buffer.from(Buffer.from(base64, 'base64').toString()).toString('base64') === base64;

describe.each(Object.entries(verifiers))('%s', (_, Webhook) => {
  test.each(webhookVectors.filter(({ body_base64 }) => isText(body_base64)).map((vector) => [vector.name, vector] as const))(
    'judges as the vector says: %s',
    (_name, { secrets, headers, body_base64, now, outcomes }) => {
      jest.setSystemTime(now * 1000);
      const body = Buffer.from(body_base64, 'base64').toString();
      const taken = secrets.some((secret) => takes(() => new Webhook(secret).verify(body, headers)));
      expect(taken).toBe(outcomes['webhook-signature'] === 'genuine');
    },
  );

  test('signs what is verified here, also with several secrets', () => {
    const [old, fresh] = [1, 2].map((byte) => `whsec_${Buffer.alloc(32, byte).toString('base64')}`) as [string, string];
    const body = '{"id":"evt_1","object":"event","type":"invoice.created","name":"Çelësi 😀"}';
    const by = (secret: string): string => new Webhook(secret).sign('evt_1', new Date(NOW * 1000), body);
    const delivery = (signatures: string) => ({
      headers: { 'webhook-id': 'evt_1', 'webhook-timestamp': String(NOW), 'webhook-signature': signatures },
      body,
    });
    expect(verifyWebhook(delivery(by(old)), old).id).toBe('evt_1');
    for (const secret of [old, fresh]) expect(verifyWebhook(delivery(`${by(old)} ${by(fresh)}`), secret).id).toBe('evt_1');
    expect(() => verifyWebhook(delivery(by(old)), fresh)).toThrow(expect.objectContaining({ code: 'signature_wrong' }));
  });
});
