import { constants } from 'node:crypto';
import { isIP, type LookupFunction, type Socket } from 'node:net';
import { createSecureContext, DEFAULT_CIPHERS } from 'node:tls';
import type { Clock } from '@svc/kernel';
import { buildConnector } from 'undici';
import { boundHeads } from './bounded-heads.ts';
import { boundedAnswers, boundedStream, PIECE, Refused, type Shared, type Take } from './received.ts';

const CONNECTED_WITHIN_MS = 30_000;

interface ConnectTo {
  account: string;
  /** `''`: the operating system resolves the host. */
  address: string;
}

/** When the last connection of a pool was made, in milliseconds since 1970. */
export interface Connected {
  at: number;
}

/**
 * Returns connectors for undici. OpenSSL and the parser of HTTP compute in the event loop with what the receiver chooses: the keys of all certificates that it
 * sends, its groups of Diffie-Hellman, the form of its answers. So groups have names, what a receiver sends is bounded (received.ts), and what it costs is
 * counted by account. `connected` is set as connections are made. They fail with `Refused`.
 */
export function createConnecting(
  shared: Shared,
  clock: Pick<Clock, 'now'>,
): (target: ConnectTo, connected: Connected) => buildConnector.connector {
  const secureContext = createSecureContext({
    ciphers: `${DEFAULT_CIPHERS}:!kDHE`,
    ecdhCurve: 'X25519MLKEM768:X25519:P-256:P-384:P-521',
    // The receiver would make a handshake again on a secure connection.
    secureOptions: constants.SSL_OP_NO_RENEGOTIATION,
  });

  /** What was read last, of whichever connection: it is copied before another one is read. */
  const buffer = Buffer.allocUnsafeSlow(PIECE);

  return ({ account, address }, connected) => {
    const secure = buildConnector({ timeout: CONNECTED_WITHIN_MS, secureContext });
    return (options, callback) => {
      /** Makes a connection. `then` returns what takes all that it receives: a stream around the socket would buffer each request and each answer once more. */
      const open = (then: (socket: Socket) => Take): void => {
        let take: Take | undefined;
        const onread = { buffer, callback: (length: number) => take?.(Buffer.from(buffer.subarray(0, length))) ?? false };
        const plain = buildConnector({ timeout: CONNECTED_WITHIN_MS, onread, ...(address !== '' && { lookup: only(address) }) });
        plain({ ...options, protocol: 'http:', port: options.port || (options.protocol === 'https:' ? '443' : '80') }, (error, socket) => {
          if (error) return callback(error, null);
          connected.at = clock.now();
          take = then(socket);
        });
      };
      if (options.protocol !== 'https:')
        return open((socket) => {
          boundHeads(socket);
          callback(null, socket);
          return boundedAnswers(socket, socket, account, shared);
        });
      if (shared.handshakes.areTooHigh(account)) return process.nextTick(callback, new Refused('HANDSHAKES_TOO_COSTLY'), null);
      open((socket) => {
        const bounded = boundedStream(socket, account, shared);
        // undici passes it on to `tls.connect`, which takes any stream.
        secure({ ...options, httpSocket: bounded.stream as Socket }, (...result) => {
          if (result[1]) {
            boundHeads(result[1]);
            bounded.answers(result[1]);
          }
          callback(...result);
        });
        return bounded.take;
      });
    };
  };
}

/** Resolves any name to this address, whatever it resolves to now. */
const only = (address: string): LookupFunction => {
  const family = isIP(address);
  return (_host, options, done) => (options.all ? done(null, [{ address, family }]) : done(null, address, family));
};
