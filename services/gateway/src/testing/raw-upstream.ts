import { createServer, type Server, type Socket } from 'node:net';

/** Handles a request. `n` counts requests from 1 over all connections. */
export type React = (socket: Socket, request: string, n: number) => void;

/** A TCP server for faulty responses: it resets, cuts off or does not answer. */
export class RawUpstream {
  readonly requests: string[] = [];
  /** As a process that is stopped: its kernel takes connections and requests, and nothing is answered. */
  hangs = false;
  /** Questions on new connections that it has answered. */
  proofs = 0;
  private readonly sockets = new Set<Socket>();
  private constructor(private readonly server: Server) {}

  static async start(react: React, port = 0, address = '127.0.0.1'): Promise<RawUpstream> {
    const server = createServer();
    const upstream = new RawUpstream(server);
    server.on('connection', (socket) => {
      upstream.sockets.add(socket);
      let text = '';
      socket.on('error', () => undefined);
      socket.on('data', (chunk) => {
        text += chunk.toString('latin1');
        const end = text.indexOf('\r\n\r\n');
        const length = Number(/content-length: (\d+)/i.exec(text)?.[1] ?? 0);
        if (end < 0 || text.length < end + 4 + length) return;
        const request = text;
        text = '';
        if (upstream.hangs) return void upstream.requests.push(request);
        if (request.startsWith('HEAD / ')) {
          upstream.proofs += 1;
          return void socket.write('HTTP/1.1 404 Not Found\r\ncontent-length: 2\r\n\r\n');
        }
        react(socket, request, upstream.requests.push(request));
      });
    });
    await new Promise<void>((resolve) => server.listen(port, address, resolve));
    return upstream;
  }

  get port(): number {
    return (this.server.address() as { port: number }).port;
  }

  get origin(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** The command ids of the requests so far. */
  commands(): string[] {
    const commands = this.requests.filter((request) => !request.startsWith('HEAD / '));
    return commands.map((request) => {
      const body = /x-svc-identity: [\w-]+\.([\w-]+)\./i.exec(request)?.[1] ?? '';
      return (JSON.parse(Buffer.from(body, 'base64url').toString()) as { cmd: string }).cmd;
    });
  }

  async stop(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    await new Promise((resolve) => this.server.close(resolve));
  }
}

/** A complete response. */
export const httpAnswer = (status: string, body: string, headers: string[] = []): string =>
  [`HTTP/1.1 ${status}`, 'content-type: application/json', `content-length: ${Buffer.byteLength(body)}`, ...headers, '', body].join('\r\n');
