import { connect as connectPlain, isIP, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import type { ServerAddress } from './server-address.ts';

const TIMEOUT_MS = 3_000;

/**
 * The reason why a server cannot be reached, in words that name the setting. Connects once without the client library, whose errors lack the
 * reason. undefined: a host accepts connections as the setting says, so that there is another reason.
 */
export async function connectionFailure({ variable, hosts, tls }: ServerAddress): Promise<string | undefined> {
  const reasons = await Promise.all(hosts.map(({ host, port }) => reasonOf(variable, host, port, tls)));
  return reasons.includes(undefined) ? undefined : [...new Set(reasons)].join('; ');
}

async function reasonOf(variable: string, host: string, port: number, tls: ServerAddress['tls']): Promise<string | undefined> {
  const at = `${host}:${port}`;
  const plain = await codeOf(connectPlain({ host, port }), 'connect');
  if (plain !== undefined) return `${unreached(plain, host, at)} (${variable})`;
  // TLS takes names for SNI, not addresses.
  const secure = { host, port, ...(isIP(host) === 0 && { servername: host }) };
  if (tls !== undefined) {
    const code = await codeOf(connectTls({ ...secure, ...(tls.ca !== undefined && { ca: tls.ca }) }), 'secureConnect');
    return code === undefined ? undefined : untrusted(code, at, variable);
  }
  const speaksTls = (await codeOf(connectTls({ ...secure, rejectUnauthorized: false }), 'secureConnect')) === undefined;
  return speaksTls ? `${at} speaks TLS, and ${variable} asks for plain text: say tls=true there` : undefined;
}

function unreached(code: string, host: string, at: string): string {
  if (code === 'ECONNREFUSED') return `connection refused: nobody listens on ${at}`;
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return `the name ${host} is not known (${code})`;
  if (code === LATE) return `${at} takes no connection within ${TIMEOUT_MS / 1000} s`;
  return `${at} cannot be reached (${code})`;
}

/** OpenSSL's codes for certificate errors. */
const CERTIFICATE = /CERT|SIGNATURE|ISSUER|SELF_SIGNED/;

function untrusted(code: string, at: string, variable: string): string {
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID')
    return `the certificate of ${at} is for another name: name the server in ${variable} as its certificate does`;
  if (code === 'CERT_HAS_EXPIRED') return `the certificate of ${at} has expired`;
  if (CERTIFICATE.test(code)) return `the certificate of ${at} is not trusted (${code}): name its CA in ${variable} by tlsCAFile`;
  return `${at} does not speak TLS, and ${variable} asks for it (${code}): say tls=false there, or have the server speak it`;
}

const LATE = 'late';

/** The error code of connecting; undefined if it succeeds. */
function codeOf(socket: Socket, connected: 'connect' | 'secureConnect'): Promise<string | undefined> {
  return new Promise((resolve) => {
    const end = (code: string | undefined): void => {
      socket.destroy();
      resolve(code);
    };
    socket.setTimeout(TIMEOUT_MS, () => end(LATE));
    socket.once(connected, () => end(undefined));
    socket.on('error', (error: NodeJS.ErrnoException) => end(firstOf(error).code ?? 'unknown'));
    socket.once('end', () => end('ECONNRESET'));
  });
}

/** The first error if a name has several addresses. */
const firstOf = (error: NodeJS.ErrnoException): NodeJS.ErrnoException =>
  error instanceof AggregateError ? (error.errors[0] as NodeJS.ErrnoException) : error;
