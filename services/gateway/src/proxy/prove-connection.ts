import type { Clock } from '@svc/kernel';
import type { Socket } from 'node:net';
import { buildConnector } from 'undici';

interface Proving {
  /** Milliseconds for the connection, and as many for its proof. */
  within: number;
  clock: Pick<Clock, 'after'>;
  /** IP address in place of the origin's name. */
  address: string | undefined;
  /** Whether new connections are to be proven. */
  isSuspect(): boolean;
}

/**
 * Connects, and while `isSuspect` asks for something that costs nothing first: a process that hangs still takes connections, as its kernel does, and behind one address
 * only the connection says which process it leads to. One that is not answered fails before a request is sent on it.
 */
export function provingConnector({ within, clock, address, isSuspect }: Proving): buildConnector.connector {
  const connect = buildConnector({ timeout: within });
  return (options, callback) =>
    connect({ ...options, hostname: address ?? options.hostname }, (error, socket) => {
      if (error !== null || !isSuspect()) return error === null ? callback(null, socket) : callback(error, null);
      prove(socket, options.host ?? options.hostname, { within, clock }).then(
        () => callback(null, socket),
        (failure: Error) => {
          socket.destroy();
          callback(failure, null);
        },
      );
    });
}

/** Whether a process at the origin, or at the address in place of its name, answers on a new connection. */
export function answersAt(origin: string, { within, clock, address }: Omit<Proving, 'isSuspect'>): Promise<boolean> {
  const { protocol, host, hostname, port } = new URL(origin);
  return new Promise((resolve) => {
    provingConnector({ within, clock, address, isSuspect: () => true })({ protocol, host, hostname, port }, (error, socket) => {
      socket?.destroy();
      resolve(error === null);
    });
  });
}

const END_OF_HEAD = '\r\n\r\n';

/** Resolves when HEAD / is answered, with whatever status. */
function prove(socket: Socket, host: string, { within, clock }: Pick<Proving, 'within' | 'clock'>): Promise<void> {
  return new Promise((resolve, reject) => {
    let head = '';
    // Until it belongs to a request, and where it fails.
    socket.on('error', () => undefined);
    const end = (error?: Error): void => {
      cancel();
      socket.off('readable', read).off('error', end).off('close', closed);
      if (error) reject(error);
      else resolve();
    };
    const read = (): void => {
      for (let chunk = socket.read() as Buffer | null; chunk !== null; chunk = socket.read() as Buffer | null)
        head += chunk.toString('latin1');
      if (head.endsWith(END_OF_HEAD)) end();
    };
    const closed = (): void => end(new Error('a new connection was closed'));
    const cancel = clock.after(within, () => end(new Error('a new connection is not answered')));
    socket.on('readable', read).on('error', end).on('close', closed);
    socket.write(`HEAD / HTTP/1.1\r\nhost: ${host}${END_OF_HEAD}`);
  });
}
