import { constants } from 'node:crypto';
import { isIP, type LookupFunction, type Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { createSecureContext, DEFAULT_CIPHERS } from 'node:tls';
import type { Clock } from '@svc/kernel';
import { buildConnector } from 'undici';
import type { Handshakes } from './handshakes.ts';

const CONNECTED_WITHIN_MS = 30_000;
/** Chains of certificates that browsers accept have 3 to 8 KiB. */
const MOST_BYTES = 16 * 1024;
/** Processor time; ordinary handshakes take 1 to 3 ms. */
const FREE_MS = 10;

interface ConnectTo {
  account: string;
  /** `''`: the operating system resolves the host. */
  address: string;
}

/** When the last connection of a pool was made, in milliseconds since 1970. */
export interface Connected {
  at: number;
}

class HandshakeRefused extends Error {
  readonly code: 'HANDSHAKE_TOO_LONG' | 'HANDSHAKES_TOO_COSTLY';

  constructor(code: HandshakeRefused['code']) {
    super(code);
    this.code = code;
  }
}

/**
 * Returns connectors for undici. OpenSSL computes in the event loop with numbers that the receiver chooses: the keys of all certificates that it sends,
 * and its groups of Diffie-Hellman. So groups have names, a receiver sends at most 16 KiB before its connection is secure, and what its handshakes cost
 * is counted by account. `connected` is set as connections are made. Connections fail with `HANDSHAKE_TOO_LONG` or `HANDSHAKES_TOO_COSTLY`.
 */
export function createConnecting(
  handshakes: Handshakes,
  clock: Pick<Clock, 'now'>,
): (target: ConnectTo, connected: Connected) => buildConnector.connector {
  const secureContext = createSecureContext({
    ciphers: `${DEFAULT_CIPHERS}:!kDHE`,
    ecdhCurve: 'X25519MLKEM768:X25519:P-256:P-384:P-521',
    // The receiver would make a handshake again on a secure connection.
    secureOptions: constants.SSL_OP_NO_RENEGOTIATION,
  });

  return ({ account, address }, connected) => {
    const plain = buildConnector({ timeout: CONNECTED_WITHIN_MS, ...(address !== '' && { lookup: only(address) }) });
    const secure = buildConnector({ timeout: CONNECTED_WITHIN_MS, secureContext });
    return (options, callback) => {
      const open = (then: (socket: Socket) => void): void =>
        plain({ ...options, protocol: 'http:', port: options.port || (options.protocol === 'https:' ? '443' : '80') }, (error, socket) => {
          if (error) return callback(error, null);
          connected.at = clock.now();
          then(socket);
        });
      if (options.protocol !== 'https:') return open((socket) => callback(null, socket));
      if (handshakes.areTooCostly(account)) return process.nextTick(callback, new HandshakeRefused('HANDSHAKES_TOO_COSTLY'), null);
      open((socket) => {
        const handshake = boundedHandshake(socket, account, handshakes);
        // undici passes it on to `tls.connect`, which takes any stream.
        secure({ ...options, httpSocket: handshake.stream as Socket }, (...result) => {
          handshake.end();
          callback(...result);
        });
      });
    };
  };
}

/** Resolves any name to this address, whatever it resolves to now. */
const only = (address: string): LookupFunction => {
  const family = isIP(address);
  return (_host, options, done) => (options.all ? done(null, [{ address, family }]) : done(null, address, family));
};

/** The socket as a stream, by which OpenSSL gets of the receiver only what it may send; `end`: from now on all. */
function boundedHandshake(socket: Socket, account: string, handshakes: Handshakes): { stream: Duplex; end(): void } {
  let isOver = false;
  let [bytesLeft, freeMs] = [MOST_BYTES, FREE_MS];

  /** OpenSSL computes within `push`: what reads the stream is called by it. */
  const step = (chunk: Buffer): boolean => {
    const before = process.threadCpuUsage();
    const goOn = stream.push(chunk);
    const { user, system } = process.threadCpuUsage(before);
    const ms = (user + system) / 1000;
    handshakes.charge(account, ms - freeMs);
    freeMs = Math.max(0, freeMs - ms);
    return goOn;
  };
  const receive = (chunk: Buffer): boolean => {
    if (isOver) return stream.push(chunk);
    if (handshakes.areTooCostly(account)) return refuse('HANDSHAKES_TOO_COSTLY');
    const [allowed, rest] = [chunk.subarray(0, bytesLeft), chunk.subarray(bytesLeft)];
    bytesLeft -= allowed.length;
    const goOn = allowed.length === 0 || step(allowed);
    if (rest.length === 0 || stream.destroyed) return goOn;
    return isOver ? stream.push(rest) : refuse('HANDSHAKE_TOO_LONG');
  };
  const refuse = (code: HandshakeRefused['code']): boolean => {
    stream.destroy(new HandshakeRefused(code));
    return false;
  };

  const stream = new Duplex({
    read: () => void socket.resume(),
    write: (chunk: Buffer, _encoding, done) => void socket.write(chunk, done),
    final: (done) => void socket.end(done),
    destroy(error, done) {
      socket.destroy();
      done(error);
    },
  });
  socket.on('data', (chunk: Buffer) => receive(chunk) || socket.pause());
  socket.on('end', () => stream.push(null));
  socket.on('error', (error) => stream.destroy(error));
  socket.on('close', () => stream.destroy());
  return { stream, end: () => void (isOver = true) };
}
