import { Agent, request } from 'node:http';

export interface Answered {
  status: number;
  text: string;
}

export interface SteadyClient {
  /** Rejects when a connection ends without a response, or when all origins refuse a connection. */
  send(method: string, path: string, more?: { body?: unknown; headers?: Record<string, string> }): Promise<Answered>;
  /** Number of connections that were refused and opened at another origin. */
  refused(): number;
  close(): void;
}

/** A request without a complete response by then has failed. */
const TIMEOUT_MS = 30_000;
/** Shorter than a server keeps a connection that has carried no request (`requestTimeout`): otherwise a request may meet its end. */
const UNUSED_MS = 20_000;
/** How often each origin is tried before a request fails. */
const ROUNDS = 2;

/**
 * A client like a load balancer: it keeps its connections, takes the origins in turn, and opens a refused connection at the next origin. It
 * repeats no request.
 */
export function steadyClient(origins: readonly string[], key: string): SteadyClient {
  const agents = origins.map(() => new Agent({ keepAlive: true, scheduling: 'fifo', timeout: UNUSED_MS }));
  let turn = 0;
  let refused = 0;

  const once = (at: number, method: string, path: string, sent: string | undefined, headers: Record<string, string>): Promise<Answered> =>
    new Promise((resolve, reject) => {
      const call = request(`${origins[at]}/v1${path}`, {
        method,
        agent: agents[at] as Agent,
        signal: AbortSignal.timeout(TIMEOUT_MS),
        headers: {
          authorization: `Bearer ${key}`,
          ...(sent === undefined ? {} : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(sent) }),
          ...headers,
        },
      });
      call.once('response', (response) => {
        let text = '';
        response.setEncoding('utf8');
        response.on('data', (chunk: string) => (text += chunk));
        response.once('end', () => resolve({ status: response.statusCode as number, text }));
        response.once('error', reject);
      });
      call.once('error', reject);
      call.end(sent);
    });

  return {
    async send(method, path, { body, headers = {} } = {}) {
      const sent = body === undefined ? undefined : JSON.stringify(body);
      const first = turn++;
      for (let tries = 0; ; tries += 1)
        try {
          return await once((first + tries) % origins.length, method, path, sent, headers);
        } catch (error) {
          if ((error as NodeJS.ErrnoException).code !== 'ECONNREFUSED' || tries === ROUNDS * origins.length) throw error;
          refused += 1;
        }
    },
    refused: () => refused,
    close: () => agents.forEach((agent) => agent.destroy()),
  };
}
