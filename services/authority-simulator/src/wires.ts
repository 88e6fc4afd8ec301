import { once } from 'node:events';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import type { Answer } from './answer.ts';
import type { SimulatorRequest } from './requests.ts';
import type { ServedWires, ServeOptions } from './serve-wires.ts';
import type { AuthorityId } from './wires/authorities.ts';

export interface WiresOptions extends Omit<ServeOptions, 'addresses'> {
  host: string;
  /** Of each authority that is served; 0: any free port. */
  ports: Partial<Record<AuthorityId, number | undefined>>;
}

export interface Wires {
  /** `127.0.0.1:3003`, for http and https, by authority. */
  addresses: Partial<Record<AuthorityId, string>>;
  operators(request: SimulatorRequest): Promise<Answer | undefined>;
  close(): Promise<void>;
}

const MOST_CONNECTIONS = 1_000;
/** Calls of operators about the national authorities. */
const OPERATORS = /^\/(ledger\?|wire|chains|authorities|faults|clock|taxpayers|certificates)/;

/**
 * Opens the ports of the national authorities. Their protocols are loaded with the first connection or call: certificates and XML are a tenth of a process that serves
 * more. Rejects when a port is taken.
 */
export async function openWires({ host, ports, ...serving }: WiresOptions): Promise<Wires> {
  const servers = new Map<AuthorityId, Server>();
  const addresses: Partial<Record<AuthorityId, string>> = {};
  let served: Promise<ServedWires> | undefined;
  const load = (): Promise<ServedWires> =>
    (served ??= import('./serve-wires.ts').then(({ serveWires }) => serveWires({ ...serving, addresses })));

  function take(authority: AuthorityId, socket: Socket): void {
    socket.on('error', () => socket.destroy());
    load().then(
      (wires) => wires.take(authority, socket),
      (error: unknown) => {
        serving.logger.warn({ err: error }, 'the simulator cannot serve the national authorities');
        socket.destroy();
      },
    );
  }
  async function close(): Promise<void> {
    const closed = [...servers.values()].map((server) => new Promise((resolve) => server.close(resolve)));
    await (await served)?.close();
    await Promise.all(closed);
  }

  try {
    for (const [name, port] of Object.entries(ports)) {
      if (port === undefined) continue;
      const authority = name as AuthorityId;
      const server = createServer({ pauseOnConnect: true }, (socket) => take(authority, socket));
      server.maxConnections = MOST_CONNECTIONS;
      server.listen(port, host);
      await once(server, 'listening');
      servers.set(authority, server);
      addresses[authority] = `${host.includes(':') ? `[${host}]` : host}:${(server.address() as AddressInfo).port}`;
    }
  } catch (error) {
    await close();
    throw error;
  }
  return { addresses, close, operators: async (request) => (OPERATORS.test(request.path) ? (await load()).operators(request) : undefined) };
}
