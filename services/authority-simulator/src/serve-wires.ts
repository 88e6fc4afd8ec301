import type { Socket } from 'node:net';
import { type Clock, millisOf } from '@svc/kernel';
import { albania } from './al-cis/albania.ts';
import { cisWire } from './al-cis/wire.ts';
import type { Answer } from './answer.ts';
import type { Storage } from './embedded/storage.ts';
import { COUNTRY, verifactuWire } from './es-verifactu/wire.ts';
import { montenegro } from './me-efi/montenegro.ts';
import { operatorCalls, type Served } from './operators.ts';
import { publishedKey, testAuthority, type TestAuthority } from './pki/test-authority.ts';
import type { SimulatorRequest } from './requests.ts';
import type { AuthorityId } from './wires/authorities.ts';
import { type Connections, serveConnections } from './wires/connections.ts';
import { WireExchange } from './wires/exchange.ts';
import type { Wire } from './wires/wire.ts';

export interface ServeOptions {
  storage: Storage;
  /** Names and addresses in the TLS certificates. */
  hosts: readonly string[];
  /** Of requests and answers that are kept of each authority. */
  wireBytes: number;
  clock: Clock;
  logger: { warn(fields: object, message: string): void };
  /** Of the authorities that are served. */
  addresses: Partial<Record<AuthorityId, string>>;
}

/** The protocols of the national authorities, on connections that are made elsewhere. */
export interface ServedWires {
  /** Serves a connection that is paused. */
  take(authority: AuthorityId, socket: Socket): void;
  operators(request: SimulatorRequest): Promise<Answer | undefined>;
  /** Ends all connections. */
  close(): void;
}

/** The national protocols, each with its country for certificates. */
const protocols: { authority: AuthorityId; country: string; make(): Wire }[] = [
  { authority: albania.authority, country: albania.country, make: () => cisWire(albania) },
  { authority: montenegro.authority, country: montenegro.country, make: () => cisWire(montenegro) },
  { authority: 'es-verifactu', country: COUNTRY, make: verifactuWire },
];

export function serveWires({ storage, hosts, wireBytes, clock, logger, addresses }: ServeOptions): ServedWires {
  const exchange = new WireExchange(storage, clock, wireBytes);
  const connections = new Map<AuthorityId, Connections>();
  const served: Served[] = [];
  for (const { authority, country, make } of protocols) {
    const address = addresses[authority];
    if (address === undefined) continue;
    const [wire, certificates] = [make(), testAuthority(country)];
    const tls = serverCertificate(certificates, country, hosts);
    connections.set(authority, serveConnections({ wire, exchange, tls, clock, logger }));
    served.push({ authority, address, paths: wire.paths, certificates, country });
  }
  return {
    take: (authority, socket) => connections.get(authority)?.take(socket),
    operators: operatorCalls(exchange, served),
    close: () => connections.forEach((of) => of.close()),
  };
}

function serverCertificate(authority: TestAuthority, country: string, hosts: readonly string[]): { key: string; cert: string } {
  const key = publishedKey('answers');
  const subject = { country, name: hosts[0] ?? 'localhost' };
  const cert = authority.issue({ subject, key, serial: '04', from: millisOf('2019-01-01'), to: millisOf('2049-12-31'), hosts });
  return { key: key.export({ type: 'pkcs8', format: 'pem' }) as string, cert };
}
