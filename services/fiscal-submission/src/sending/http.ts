import { createHash } from 'node:crypto';
import type { Clock } from '@svc/kernel';
import { Agent } from 'undici';
import { createLongKeyTurns, isLong } from './long-keys.ts';
import { observedPool, type Peer, type Seen } from './peer.ts';
import { clientRefusal, isAboutClient } from './refuses-client.ts';
import type { Tls } from './tls.ts';

export type { Tls };

/** An outgoing HTTP call. Header names are in lower case. */
export interface HttpRequest {
  method: 'GET' | 'POST';
  url: string;
  headers: Record<string, string>;
  body?: string;
  /** Absent: as the machine trusts, without a client certificate. */
  tls?: Tls | undefined;
  /** For connecting, sending and the whole response. */
  deadlineMs: number;
  /** Of the body of the response. Absent: 4 MiB. */
  mostBytes?: number;
}

export interface HttpResponse {
  status: number;
  headers: Record<string, string | undefined>;
  body: Buffer;
  /** The certificate that the server has shown; absent: the connection has none. */
  peer?: Peer;
}

/** Rejects with `NotSent` when the request certainly never left, with any other error when it may have. */
export type Http = (request: HttpRequest) => Promise<HttpResponse>;

/** No connection was made, so the other side has received nothing. */
export class NotSent extends Error {
  override readonly name = 'NotSent';
}

/** The server has ended the handshake: it does not take the certificate that the client shows. */
export class ClientRefused extends NotSent {}

/** The call has not had its turn: nothing was asked of the other side. */
export class NoTurn extends NotSent {}

/** An `Http` that adds headers to every request; headers without a value are omitted. */
export const withHeaders =
  (http: Http, headers: Record<string, string | undefined>): Http =>
  (request) => {
    const added = Object.entries(headers).filter((entry): entry is [string, string] => entry[1] !== undefined);
    return http({ ...request, headers: { ...request.headers, ...Object.fromEntries(added) } });
  };

/** An `Http` that makes its connections as this client. */
export const withClient =
  (http: Http, client: Tls['client']): Http =>
  (request) =>
    http(client ? { ...request, tls: { ...request.tls, client } } : request);

/** Errors of undici and the operating system before the first byte of a request was written. */
const BEFORE_SENDING = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH', 'UND_ERR_CONNECT_TIMEOUT']);
/** OpenSSL's codes for certificates that are not accepted, which ends the handshake. */
const CERTIFICATE = /CERT|SELF_SIGNED|UNABLE_TO_/;
/** Codes of a connection that the server has closed without an answer. */
const CLOSED = new Set(['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE']);
/** An answer to a sending of 1,000 records has up to 1 MB. */
const MAX_ANSWER = 4 * 1024 * 1024;
const CONNECTIONS = 128;
/** Sets of connections that are kept: one of each client's certificate and trust. */
const MOST_AGENTS = 200;
/** Every connection has its server show its certificate: one that goes on with an earlier session does not. */
const OBSERVED = { maxCachedSessions: 0, factory: observedPool };
const AGENT = { connections: CONNECTIONS, pipelining: 1, headersTimeout: 0, bodyTimeout: 0, ...OBSERVED };

const idOf = ({ anchors, client }: Tls): string =>
  createHash('sha256')
    .update([...(anchors ?? []), client?.certificate ?? ''].join('\n'))
    .digest('base64');

const agentOf = ({ anchors, client }: Tls): Agent =>
  new Agent({ ...AGENT, connect: { ...(anchors && { ca: [...anchors] }), ...(client && { key: client.key, cert: client.certificate }) } });

/** Outgoing HTTP over kept-alive connections, one request on each at a time. `close` cancels requests in flight. */
export function outgoingHttp(clock: Pick<Clock, 'after' | 'now'>): { http: Http; close(): Promise<void> } {
  const common = { agent: new Agent(AGENT), hasLongKey: false };
  const agents = new Map<string, typeof common>();
  const turns = createLongKeyTurns(clock);
  const agentFor = (tls: Tls | undefined): typeof common => {
    if (!tls) return common;
    const id = idOf(tls);
    const found = agents.get(id) ?? { agent: agentOf(tls), hasLongKey: isLong(tls.client) };
    agents.delete(id);
    agents.set(id, found);
    const [oldest] = agents;
    if (agents.size > MOST_AGENTS && oldest) {
      agents.delete(oldest[0]);
      void oldest[1].agent.close();
    }
    return found;
  };
  const http: Http = async ({ method, url, headers, body, tls, deadlineMs, mostBytes = MAX_ANSWER }) => {
    const { agent, hasLongKey } = agentFor(tls);
    const late = new AbortController();
    const endsAt = clock.now() + deadlineMs;
    const cancel = clock.after(deadlineMs, () => late.abort(new Error(`no answer within ${deadlineMs} ms`)));
    const { origin, pathname, search } = new URL(url);
    const hasTurn = async (): Promise<boolean> => !hasLongKey || turns.of(tls?.client?.account ?? '', late.signal);
    try {
      if (hasLongKey && !(await hasTurn())) throw new NoTurn('Too many connections wait to be made with keys of more than 4,096 bits');
      const seen: Seen = {};
      const request = { origin, path: pathname + search, method, headers, body, signal: late.signal, opaque: seen };
      const answer = await agent.request(request);
      const peer = seen.peer?.();
      const bytes = await bytesOf(answer.body, mostBytes);
      return { status: answer.statusCode, headers: single(answer.headers), body: bytes, ...(peer && { peer }) };
    } catch (error) {
      const code = String((error as { code?: unknown }).code);
      const ask = async (of: Tls) => ((await hasTurn()) ? clientRefusal(origin, of, clock, endsAt - clock.now()) : undefined);
      const refusal = tls?.client && (CLOSED.has(code) ? await ask(tls) : isAboutClient(code) ? code : undefined);
      if (refusal) throw new ClientRefused(`${origin} does not accept the certificate that it was shown: ${refusal}`, { cause: error });
      if (CERTIFICATE.test(code)) throw new NotSent(`the certificate of ${origin} is not accepted: ${code}`, { cause: error });
      throw BEFORE_SENDING.has(code) ? new NotSent(`${origin} cannot be reached`, { cause: error }) : error;
    } finally {
      cancel();
    }
  };
  return {
    http,
    async close() {
      turns.close();
      await Promise.all([common, ...agents.values()].map(({ agent }) => agent.destroy()));
    },
  };
}

/** Ends the connection of a body that has more. */
async function bytesOf(body: AsyncIterable<Buffer>, most: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > most) throw new Error(`the answer has more than ${most} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

const single = (headers: Record<string, string | string[] | undefined>): Record<string, string | undefined> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value[0] : value]));
