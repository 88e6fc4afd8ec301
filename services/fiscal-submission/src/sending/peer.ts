import { TLSSocket } from 'node:tls';
import { iso } from '@svc/kernel';
import { Client, Pool, type buildConnector } from 'undici';

/** The certificate that a server has shown. `sha256`: of its DER, lower-case hex. Times are ISO 8601. */
export interface Peer {
  subject: string;
  issuer: string;
  sha256: string;
  valid_from: string;
  valid_to: string;
}

/** What a request takes with it to the connection that it is sent on. */
export interface Seen {
  /** The certificate that was shown on it; undefined: none was. */
  peer?: () => Peer | undefined;
}

const MOST_CHARACTERS = 1_000;
const nameOf = (name: string | undefined): string => (name ?? '').replaceAll('\n', ', ').slice(0, MOST_CHARACTERS);

function peerOf(socket: unknown): Peer | undefined {
  const certificate = socket instanceof TLSSocket ? socket.getPeerX509Certificate() : undefined;
  if (!certificate) return undefined;
  const { subject, issuer, fingerprint256, validFromDate, validToDate } = certificate;
  const [from, to] = [validFromDate.getTime(), validToDate.getTime()];
  if (!Number.isFinite(from + to)) return undefined;
  return {
    ...{ subject: nameOf(subject), issuer: nameOf(issuer), sha256: fingerprint256.replaceAll(':', '').toLowerCase() },
    ...{ valid_from: iso(from), valid_to: iso(to) },
  };
}

/** A connection that knows which certificate its server has shown, and says it to each request that it sends (`opaque`, a `Seen`). */
function observed(origin: URL, options: Client.Options): Client {
  let peer: Peer | undefined;
  const connect = options.connect as buildConnector.connector;
  const client = new Client(origin, {
    ...options,
    connect: (to, done) =>
      connect(to, (...connected) => {
        peer = peerOf(connected[1]);
        done(...connected);
      }),
  });
  const dispatch = client.dispatch.bind(client);
  client.dispatch = (request, handler) => {
    const { opaque } = request as { opaque?: Seen };
    if (opaque) opaque.peer = () => peer;
    return dispatch(request, handler);
  };
  return client;
}

/** Connections of an agent, by the origin that it calls. */
export const observedPool = (origin: string | URL, options: object): Pool => new Pool(origin, { ...options, factory: observed });
