import { request as httpRequest } from 'node:http';

export interface Answer {
  status: number;
  headers: Record<string, string | undefined>;
  text: string;
  body: { error?: { code: string; message: string; request_id: string; details?: object } } & Record<string, unknown>;
}

export interface Sent {
  headers?: Record<string, string>;
  body?: unknown;
  raw?: string;
  /** Loopback address to call from. */
  from?: string;
}

export type Call = (method: string, path: string, sent?: Sent) => Promise<Answer>;

/** Calls `port` on a new connection, with `key` if given. */
export const callerOf =
  (port: () => number, key?: string): Call =>
  (method, path, { headers, body, raw, from } = {}) => {
    const text = raw ?? (body === undefined ? undefined : JSON.stringify(body));
    const about = text === undefined ? {} : { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(text)) };
    const where = { host: '127.0.0.1', port: port(), path, method, localAddress: from, agent: false as const };
    return new Promise((resolve, reject) => {
      const all = { ...(key && { authorization: `Bearer ${key}` }), ...about, ...headers };
      const request = httpRequest({ ...where, headers: all }, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () => {
          const answer = Buffer.concat(chunks).toString('utf8');
          const parsed = answer === '' ? {} : (JSON.parse(answer) as Answer['body']);
          resolve({ status: response.statusCode ?? 0, headers: response.headers as Answer['headers'], text: answer, body: parsed });
        });
      });
      request.on('error', reject);
      request.end(text);
    });
  };

export const code = ({ status, body }: Answer): string => `${status} ${body.error?.code ?? ''}`;
