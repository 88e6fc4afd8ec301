import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { Clock } from '@svc/kernel';
import { unsigned, type Answer } from './answer.ts';
import { Ledger } from './ledger.ts';
import { answering, type SimulatorRequest } from './requests.ts';
import type { AuthorityId } from './wires/authorities.ts';
import { openWires, type Wires } from './wires.ts';

export interface SimulatorOptions {
  /** 0: any free port. */
  port: number;
  host: string;
  /** File of the ledger; created when missing. */
  file: string;
  clock: Clock;
  logger: { warn(fields: object, message: string): void };
  /** Ports of the national authorities; those without one are not served. 0: any free port. */
  ports?: Partial<Record<AuthorityId, number | undefined>>;
  /** Names and addresses in the certificates of the national authorities. */
  tlsHosts?: readonly string[];
  /** Of requests and answers that are kept of each national authority. Default: 1 GiB. */
  wireBytes?: number;
}

export interface Simulator {
  /** `http://127.0.0.1:3002` */
  url: string;
  /** Of the national authorities, for http and https: `127.0.0.1:3003`. */
  addresses: Partial<Record<AuthorityId, string>>;
  /** Stops listening, closes connections and the ledger. */
  close(): Promise<void>;
}

const LOOPBACK = ['localhost', '127.0.0.1', '::1'];
const GIB = 1_073_741_824;
const MAX_BODY = 2 * 1024 * 1024;

/** Starts the simulator. Rejects when the port is taken or the file cannot be opened. */
export async function startSimulator(options: SimulatorOptions): Promise<Simulator> {
  const { port, host, file, clock, logger, ports = {}, tlsHosts = LOOPBACK, wireBytes = GIB } = options;
  const ledger = new Ledger(file);
  const sandbox = answering(ledger, clock);
  let wires: Wires;
  try {
    wires = await openWires({ storage: ledger.storage, host, ports, hosts: tlsHosts, wireBytes, clock, logger });
  } catch (error) {
    ledger.close();
    throw error;
  }
  const ask = async (call: SimulatorRequest): Promise<Answer> => (await wires.operators(call)) ?? sandbox(call);
  const stopping = new AbortController();

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const call = await read(request);
    const answer = call ? await ask(call) : unsigned(413, 'The body is too large, or its length is not given.');
    if (!answer.dropped && answer.delayMs) await clock.sleep(answer.delayMs, stopping.signal);
    send(answer, response);
  }

  const server = createServer({ keepAliveTimeout: 65_000 }, (request, response) => {
    serve(request, response).catch((error: unknown) => {
      if (!stopping.signal.aborted && !response.destroyed) logger.warn({ err: error }, 'the simulator could not answer');
      response.destroy();
    });
  });
  server.listen(port, host);
  try {
    await once(server, 'listening');
  } catch (error) {
    await wires.close();
    ledger.close();
    throw error;
  }
  return {
    addresses: wires.addresses,
    url: `http://${host}:${(server.address() as AddressInfo).port}`,
    async close() {
      stopping.abort();
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
      await wires.close();
      ledger.close();
    },
  };
}

async function read(request: IncomingMessage): Promise<SimulatorRequest | undefined> {
  if (request.headers['transfer-encoding'] || Number(request.headers['content-length'] ?? 0) > MAX_BODY) return undefined;
  const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
  return { method: request.method ?? '', path: request.url ?? '', headers, body: await text(request) };
}

function send(answer: Answer, response: ServerResponse): void {
  if (answer.dropped) response.destroy();
  else response.writeHead(answer.status, { ...answer.headers, 'content-length': String(answer.body.length) }).end(answer.body);
}
