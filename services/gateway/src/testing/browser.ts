import { request as httpRequest } from 'node:http';
import { sessionOfCookies } from './cookie-jar.ts';

export interface Page {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: Record<string, unknown> & { error?: { code: string; message: string; details?: Record<string, string[]> } };
  text: string;
}

export interface Asked {
  body?: unknown;
  headers?: Record<string, string>;
  livemode?: boolean;
}

/** A browser of the dashboard: it keeps the cookies that it is given, and sends the Origin of its pages. */
export class Browser {
  readonly cookies = new Map<string, string>();

  constructor(
    private readonly port: () => number,
    /** Loopback address, so that limits by address are its own. */
    readonly from: string,
  ) {}

  call(method: string, path: string, { body, headers, livemode }: Asked = {}): Promise<Page> {
    const text = body === undefined ? undefined : JSON.stringify(body);
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const all = {
      ...(method === 'GET' ? {} : { origin: 'http://test' }),
      ...(text === undefined ? {} : { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(text)) }),
      ...(cookie === '' ? {} : { cookie }),
      ...(livemode === undefined ? {} : { 'x-livemode': String(livemode) }),
      ...headers,
    };
    const where = { host: '127.0.0.1', port: this.port(), path: `/console${path}`, method, localAddress: this.from, agent: false as const };
    return new Promise((resolve, reject) => {
      const sent = httpRequest({ ...where, headers: all }, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () => {
          sessionOfCookies(this.cookies, response.headers['set-cookie'] ?? []);
          const answer = Buffer.concat(chunks).toString('utf8');
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            text: answer,
            body: answer === '' ? {} : JSON.parse(answer),
          });
        });
      });
      sent.on('error', reject);
      sent.end(text);
    });
  }
}

/** The token of a one-time link. */
export const tokenOf = (link: string): string => new URL(link).hash.slice('#token='.length);

export const code = ({ status, body }: Page): string => `${status} ${body.error?.code ?? ''}`.trim();
