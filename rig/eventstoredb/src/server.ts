import { createServer, type AddressInfo, type Socket } from 'node:net';
import { once } from 'node:events';
import { Server, ServerCredentials } from '@grpc/grpc-js';
import { systemClock, type Clock } from '@svc/kernel';
import { EventLog } from './log/event-log.ts';
import { createAccess, type RefusalCode } from './access.ts';
import { addServices } from './services.ts';

/** Size limit of a message; EventStoreDB's is the size of a log record. */
const MAX_MESSAGE_BYTES = 16 * 1024 * 1024;

export interface Emulator {
  /** For the client: `esdb://127.0.0.1:…?tls=false`. */
  url: string;
  port: number;
  /**
   * Refuses every call that EventStoreDB authorizes, from now on: with 7 (no permission) or 16 (user or password not accepted); undefined
   * accepts all again. Open calls are ended, except that under 7 an open batch call continues and its appends are refused one by one.
   */
  refuse(code: RefusalCode): void;
  /** Closes every connection, as a kill does, and the file; appends so far are on disk. */
  close(): Promise<void>;
  /** Stops as EventStoreDB does: accepts no new connections and lets open streams continue for at most `graceMs`; then `close`. */
  stop(graceMs: number): Promise<void>;
}

/**
 * Starts a server that speaks the protocol of EventStoreDB 23.10.7, over one file. For tests and local servers: one node, no access control
 * except `refuse`, no projections.
 */
export async function startEmulator({
  file,
  address = '127.0.0.1',
  port = 0,
  clock = systemClock,
}: {
  file: string;
  address?: string;
  port?: number;
  clock?: Clock;
}): Promise<Emulator> {
  const log = await EventLog.open(file, clock);
  const grpc = new Server({
    'grpc.max_receive_message_length': MAX_MESSAGE_BYTES,
    'grpc.max_send_message_length': -1,
    'grpc.enable_channelz': 0,
  });
  const access = createAccess();
  addServices(grpc, log, clock, access);

  const sockets = new Set<Socket>();
  const connections = grpc.createConnectionInjector(ServerCredentials.createInsecure());
  const allDisconnected = new AbortController();
  const listener = createServer({ noDelay: true }, (socket) => {
    sockets.add(socket);
    socket.on('close', () => {
      sockets.delete(socket);
      if (!listener.listening && sockets.size === 0) allDisconnected.abort();
    });
    connections.injectConnection(socket);
  });
  listener.listen(port, address);
  await once(listener, 'listening');
  const bound = (listener.address() as AddressInfo).port;

  let closed: Promise<void> | undefined;
  const close = (): Promise<void> => (closed ??= disconnect());
  const disconnect = async (): Promise<void> => {
    listener.close();
    for (const socket of sockets) socket.destroy();
    grpc.forceShutdown();
    await log.close();
  };
  const stop = async (graceMs: number): Promise<void> => {
    listener.close();
    grpc.tryShutdown(() => undefined);
    if (sockets.size > 0) await clock.sleep(graceMs, allDisconnected.signal);
    await close();
  };
  return { url: `esdb://${address}:${bound}?tls=false`, port: bound, refuse: access.refuse, close, stop };
}
