import type { Snippet } from './snippet.ts';

export const typescript: Snippet = {
  before: `import { createHmac, timingSafeEqual } from 'node:crypto';

`,
  service: `/** body: the bytes as received, before any JSON parser. */
export function isGenuine(body: Uint8Array, signature: string, secret: string): boolean {
  const expected = Buffer.from(createHmac('sha256', secret).update(body).digest('hex'));
  const given = Buffer.from(signature);
  return given.length === expected.length && timingSafeEqual(given, expected);
}
`,
  standard: `
/** id, timestamp, signatures: the headers webhook-id, webhook-timestamp, webhook-signature. */
export function isGenuineNow(
  body: Uint8Array,
  { id, timestamp, signatures }: { id: string; timestamp: string; signatures: string },
  secret: string,
  now = Date.now() / 1000,
): boolean {
  if (id === '' || !/^[0-9]{1,12}$/.test(timestamp) || Math.abs(now - Number(timestamp)) > 300) return false;
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
  const hmac = createHmac('sha256', key).update(\`\${id}.\${timestamp}.\`).update(body);
  const expected = Buffer.from(\`v1,\${hmac.digest('base64')}\`);
  const given = signatures.split(' ').map((one) => Buffer.from(one));
  return given.some((one) => one.length === expected.length && timingSafeEqual(one, expected));
}
`,
  after: '',
};
