import { WebhookError } from './error.ts';

/** Headers as Node, Express, Nest and Fastify have them, in any case, or those of a Fetch `Request`. */
export type WebhookHeaders = { get(name: string): string | null } | Readonly<Record<string, string | readonly string[] | undefined>>;

/** What was received. `body`: as it came, before any parser; a string stands for its bytes in UTF-8. */
export interface WebhookDelivery {
  headers: WebhookHeaders;
  body: Uint8Array | ArrayBuffer | string;
}

const RAW = [
  'Express: express.raw({ type: "application/json" }) on this route, before express.json()',
  'Nest: { rawBody: true } at its creation, and request.rawBody',
  'Fastify: addContentTypeParser("application/json", { parseAs: "buffer" }, (_, body, done) => done(null, body))',
  'a Fetch Request: await request.arrayBuffer()',
].join('; ');

/** The bytes that were signed. Throws `body_parsed` for anything that is not as it was received. */
export function bytesOf(body: unknown): Uint8Array {
  if (typeof body === 'string') return new TextEncoder().encode(body);
  if (ArrayBuffer.isView(body)) return new Uint8Array(body.buffer, body.byteOffset, body.byteLength);
  if (body instanceof ArrayBuffer) return new Uint8Array(body);
  throw new WebhookError(
    'body_parsed',
    `The body is ${kindOf(body)}, not the bytes that were received: the signature is over these, and a parsed body cannot be written back as they were. ` +
      `Take the raw body. ${RAW}.`,
  );
}

function kindOf(body: unknown): string {
  if (body === undefined || body === null) return 'missing';
  if (typeof (body as { then?: unknown }).then === 'function') return 'a promise, which has to be awaited';
  return Array.isArray(body) ? 'a parsed array' : `a parsed ${typeof body}`;
}

/** The value of a header that a delivery has once. Throws `header_missing`, and `header_malformed` where it is there several times. */
export function headerOf(headers: WebhookHeaders, name: string): string {
  const value = valueOf(headers, name);
  if (value === undefined || value === null)
    throw new WebhookError(
      'header_missing',
      `There is no header ${name}. Each delivery has it: give all headers of the request, and look whether a proxy in front of this server drops it.`,
    );
  if (typeof value !== 'string')
    throw new WebhookError('header_malformed', `The header ${name} is there ${value.length} times; a delivery has it once.`);
  return value.trim();
}

function valueOf(headers: WebhookHeaders, name: string): string | readonly string[] | null | undefined {
  if (typeof headers?.get === 'function') return headers.get(name);
  const plain = (headers ?? {}) as Readonly<Record<string, string | readonly string[] | undefined>>;
  return plain[name] ?? plain[Object.keys(plain).find((key) => key.toLowerCase() === name) ?? name];
}
