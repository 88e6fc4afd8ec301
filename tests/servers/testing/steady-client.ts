import { Agent, request } from 'node:http';

export interface Answered {
  status: number;
  text: string;
}

export interface SteadyClient {
  /** Rejects when a connection ends without a response, or when all origins refuse a connection. */
  send(method: string, path: string, more?: { body?: unknown; headers?: Record<string, string> }): Promise<Answered>;
  /** Number of requests whose turn was at an origin that was not ready or refused the connection, and that went to another. */
  redirected(): number;
  close(): void;
}

/** A request without a complete response by then has failed. */
const TIMEOUT_MS = 30_000;
/** Shorter than a server keeps a connection that has carried no request (`requestTimeout`): otherwise a request may meet its end. */
const UNUSED_MS = 20_000;
/** How often each origin is tried before a request fails. */
const ROUNDS = 2;
/** How often it asks whether an origin is ready. Several times within the linger of a gateway that stops. */
const LOOK_MS = 200;

export interface Origin {
  url: string;
  /** Answers 200 while new connections may be opened. */
  readyz: string;
}

/**
 * A client like a load balancer: it keeps its connections, takes the origins in turn, omits those that are not ready, and opens a refused
 * connection at the next origin. It repeats no request. Leaving out is needed: a connection that the kernel accepts just before a server closes its
 * socket is reset, and whether its request was read nobody can tell.
 */
export function steadyClient(origins: readonly Origin[], key: string): SteadyClient {
  const agents = origins.map(() => new Agent({ keepAlive: true, scheduling: 'fifo', timeout: UNUSED_MS }));
  const ready = origins.map(() => true);
  let turn = 0;
  let redirected = 0;

  const closed = new AbortController();
  const look = async ({ readyz }: Origin, at: number): Promise<void> => {
    const signal = AbortSignal.any([closed.signal, AbortSignal.timeout(TIMEOUT_MS)]);
    ready[at] = await fetch(readyz, { signal }).then(
      async (answer) => (await answer.arrayBuffer(), answer.ok),
      () => false,
    );
  };
  const looking = setInterval(() => origins.forEach((origin, at) => void look(origin, at)), LOOK_MS);

  const once = (at: number, method: string, path: string, sent: string | undefined, headers: Record<string, string>): Promise<Answered> =>
    new Promise((resolve, reject) => {
      const call = request(`${origins[at]?.url}/v1${path}`, {
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
      for (let tries = 0; ; tries += 1) {
        const at = (first + tries) % origins.length;
        const isLast = tries === ROUNDS * origins.length;
        // Where none is ready, any may be.
        if (!ready[at] && !isLast && ready.includes(true)) {
          redirected += 1;
          continue;
        }
        try {
          return await once(at, method, path, sent, headers);
        } catch (error) {
          if ((error as NodeJS.ErrnoException).code !== 'ECONNREFUSED' || isLast) throw error;
          redirected += 1;
        }
      }
    },
    redirected: () => redirected,
    close() {
      clearInterval(looking);
      closed.abort();
      agents.forEach((agent) => agent.destroy());
    },
  };
}
