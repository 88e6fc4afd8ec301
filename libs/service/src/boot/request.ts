import { isAscii, isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { tidyAscii, tidyText } from '@svc/contracts/schema/decorators/text';
import type { Calculated } from '@svc/contracts/schema/calculated';
import { isRawNumber, parseExact, DomainError } from '@svc/kernel';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { encodedBody, unsupportedMediaType } from '../errors/to-domain-error.ts';
import type { Identity } from '../identity/identity.ts';
import type { HeavyBodies } from '../bodies/heavy-bodies.ts';
import { addBodyHooks } from './body-hooks.ts';
import { whyNoJson } from './json-error.ts';
import { parseIfMatch, type IfMatch } from '../lists/preconditions.ts';

declare module 'fastify' {
  interface FastifyRequest {
    rawBody?: Buffer;
    ifMatch?: IfMatch;
    /** The calculated fields of the body; undefined if there are none. */
    calculated?: Calculated;
    /**
     * Set before the events of its command are appended: what the answer shows besides them, by which the service makes it again, byte for byte. undefined: only the
     * answer itself can be kept for a repeat.
     */
    answeredFrom?: string | undefined;
    /** Called before work on what is stored, with its bytes: what is large is as heavy as a body and waits as one. undefined: it goes on at once. */
    readonly heavyTurn: HeavyTurn;
  }
}

export type HeavyTurn = (bytes: number) => Promise<void> | undefined;

/** The characters of a URI's authority (RFC 3986): a name or an address, and a port. */
const AUTHORITY = /^[\w.~!$&'()*+,;=%:[\]-]*$/;

/**
 * Passes requests to `fastify.malformed` that Node would answer with an empty body, or would accept: an `Expect` other than 100-continue, and a
 * `Host` that is missing, repeated or invalid (RFC 9112, 3.2). Call it before all other hooks.
 */
export function useWellFormedRequests(fastify: FastifyInstance): void {
  fastify.server.on('checkExpectation', (request, response) => fastify.malformed.request(request, response));
  fastify.addHook('onRequest', (request, reply, done) => {
    if (hasOneHost(request.raw)) return done();
    reply.hijack();
    fastify.malformed.request(request.raw, reply.raw);
  });
}

/** Whether there is exactly one valid Host header. Node keeps the first of several and ignores the others. */
function hasOneHost({ rawHeaders, headers, httpVersionMinor }: IncomingMessage): boolean {
  const { host } = headers;
  if (host === undefined) return httpVersionMinor === 0;
  let hosts = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] as string;
    if (name.length === 4 && name.toLowerCase() === 'host') hosts += 1;
  }
  return hosts === 1 && AUTHORITY.test(host);
}

const JSON_TYPE = /^application\/(?:json|[\w!#$&^.-]+\+json)\s*(?:;|$)/i;

/**
 * Sets the fields of every request: those that are known at its start, and those that are read from its headers and body. The only body parser
 * is for `application/json` and `application/*+json`. Numbers are exact, strings are trimmed and in NFC with `\n` for `\r\n`, and `request.rawBody` has the bytes.
 * An empty body is `{}` whatever its type. Otherwise answers 413, 415 (also for one with a Content-Encoding), 503 for a heavy body that may not wait or has waited
 * too long, or 400, checked in this order. `heavy`: null where none wait.
 */
export function useRequestFields(fastify: FastifyInstance, heavy: HeavyBodies | null): void {
  fastify.decorateRequest('identity', null as unknown as Identity);
  fastify.decorateRequest('rawBody', undefined);
  fastify.decorateRequest('ifMatch', undefined);
  fastify.decorateRequest('calculated', undefined);
  fastify.decorateRequest('answeredFrom', undefined);
  // Made when it is asked for, as `turn` is.
  fastify.decorateRequest('heavyTurn', {
    getter() {
      return (bytes) => heavy?.storedTurnOf(this, bytes);
    },
  });
  fastify.removeAllContentTypeParsers();
  fastify.addContentTypeParser<Buffer>(['application/json', '*'], { parseAs: 'buffer' }, (request, bytes, done) => {
    const read = (): void => {
      let body: unknown;
      try {
        body = readBody(request, bytes);
      } catch (error) {
        return done(error as Error, undefined);
      }
      done(null, body);
    };
    const turn = heavy?.turnOf(request, bytes.length);
    if (turn) turn.then(read, (error: Error) => done(error, undefined));
    else read();
  });
  addBodyHooks(fastify, {
    preParsing(request, reply, payload, done) {
      const { 'content-encoding': encoding = 'identity', 'content-length': length } = request.headers;
      // The size is judged first, where it is known.
      if (encoding.trim().toLowerCase() !== 'identity' && Number(length ?? 0) <= request.routeOptions.bodyLimit) {
        reply.header('accept-encoding', 'identity');
        return done(encodedBody());
      }
      if (heavy) heavy.admit(request, reply, payload, done);
      else done(null, payload);
    },
  });
  fastify.addHook('preValidation', (request, _reply, done) => {
    // A POST without a body gets one without fields, so that validation reports the missing fields.
    if (request.body === undefined && request.method !== 'GET' && request.method !== 'HEAD') request.body = {};
    const ifMatch = request.headers['if-match'];
    if (ifMatch === undefined) return done();
    try {
      request.ifMatch = parseIfMatch(ifMatch);
      done();
    } catch (error) {
      done(error as Error);
    }
  });
}

function readBody(request: FastifyRequest, bytes: Buffer): unknown {
  request.rawBody = bytes;
  if (bytes.length === 0 || request.is404) return {};
  if (!JSON_TYPE.test(request.headers['content-type'] ?? '')) throw unsupportedMediaType();
  return parseBody(bytes);
}

const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf]);
const MAX_DEPTH = 50;
/** Objects of the interface have a few dozen fields at most. Reading the names of an object with 90,000 fields takes 30 ms. */
const MAX_FIELDS = 1_000;

/**
 * Parses a JSON text; a byte order mark before it is ignored (RFC 8259, 8.1). Throws `invalid_request` if it is invalid, nested too deep, has too many
 * fields, or has a field named `__proto__`, which an assignment would make the prototype of an object. Other names are names like any.
 */
export function parseBody(bytes: Buffer): unknown {
  if (!isUtf8(bytes)) throw malformed('it is not UTF-8');
  const text = (bytes.indexOf(BYTE_ORDER_MARK) === 0 ? bytes.subarray(BYTE_ORDER_MARK.length) : bytes).toString('utf8');
  if (text === '') return {};
  return tidy(parse(text), isAscii(bytes) && !text.includes('\\u') ? tidyAscii : tidyText, 0);
}

function parse(text: string): unknown {
  try {
    return parseExact(text);
  } catch {
    throw malformed(whyNoJson(text));
  }
}

const malformed = (why: string): DomainError =>
  new DomainError('invalid_request', `The body is not valid JSON: ${why}. Fix it and send it again.`);

type Tidy = (text: string) => string;

/** Applies `string` to every string, in place. Writes only strings that change. */
function tidy(value: unknown, string: Tidy, depth: number): unknown {
  if (typeof value === 'string') return string(value);
  if (typeof value !== 'object' || value === null || isRawNumber(value)) return value;
  if (depth === MAX_DEPTH) throw malformed(`it is nested deeper than ${MAX_DEPTH} levels`);
  if (Array.isArray(value)) {
    for (let at = 0; at < value.length; at += 1) {
      const item: unknown = value[at];
      const tidied = tidy(item, string, depth + 1);
      if (tidied !== item) value[at] = tidied;
    }
    return value;
  }
  const object = value as Record<string, unknown>;
  const keys = Object.keys(object);
  if (keys.length > MAX_FIELDS) throw malformed(`an object in it has more than ${MAX_FIELDS} fields`);
  for (const key of keys) {
    if (key === '__proto__') throw malformed(`it has a field named ${key}`);
    const tidied = tidy(object[key], string, depth + 1);
    if (tidied !== object[key]) object[key] = tidied;
  }
  return object;
}
