import { millisOf, type Clock } from '@svc/kernel';
import { albania } from './al-cis/albania.ts';
import { cisWire } from './al-cis/wire.ts';
import type { Answer } from './answer.ts';
import { COUNTRY, verifactuWire } from './es-verifactu/wire.ts';
import type { Storage } from './embedded/storage.ts';
import { publishedKey, testAuthority, type TestAuthority } from './pki/test-authority.ts';
import { montenegro } from './me-efi/montenegro.ts';
import type { SimulatorRequest } from './requests.ts';
import type { AuthorityId } from './wires/authorities.ts';
import { WireExchange } from './wires/exchange.ts';
import { listen, type Listener } from './wires/listener.ts';
import { operatorCalls, type Served } from './operators.ts';
import type { Wire } from './wires/wire.ts';

export interface WiresOptions {
  storage: Storage;
  host: string;
  /** Of each authority that is served; 0: any free port. */
  ports: Partial<Record<AuthorityId, number | undefined>>;
  /** Names and addresses in the TLS certificates. */
  hosts: readonly string[];
  /** Of requests and answers that are kept of each authority. */
  wireBytes: number;
  clock: Clock;
  logger: { warn(fields: object, message: string): void };
}

export interface Wires {
  /** `127.0.0.1:3003`, by authority. */
  addresses: Partial<Record<AuthorityId, string>>;
  operators(request: SimulatorRequest): Promise<Answer | undefined>;
  close(): Promise<void>;
}

/** The national protocols, each with its country for certificates. */
const protocols: { authority: AuthorityId; country: string; make(): Wire }[] = [
  { authority: albania.authority, country: albania.country, make: () => cisWire(albania) },
  { authority: montenegro.authority, country: montenegro.country, make: () => cisWire(montenegro) },
  { authority: 'es-verifactu', country: COUNTRY, make: verifactuWire },
];

/** Serves the national authorities on ports of their own. Rejects when a port is taken. */
export async function startWires({ storage, host, ports, hosts, wireBytes, clock, logger }: WiresOptions): Promise<Wires> {
  const exchange = new WireExchange(storage, clock, wireBytes);
  const listeners: Listener[] = [];
  const served: Served[] = [];
  const close = async (): Promise<void> => {
    await Promise.all(listeners.map((listener) => listener.close()));
  };
  try {
    for (const { authority, country, make } of protocols) {
      const port = ports[authority];
      if (port === undefined) continue;
      const [wire, certificates] = [make(), testAuthority(country)];
      const tls = serverCertificate(certificates, country, hosts);
      const listener = await listen({ wire, exchange, host, port, tls, clock, logger });
      listeners.push(listener);
      served.push({ authority, address: listener.address, paths: wire.paths, certificates, country });
    }
  } catch (error) {
    await close();
    throw error;
  }
  return {
    addresses: Object.fromEntries(served.map(({ authority, address }) => [authority, address])),
    operators: operatorCalls(exchange, served, clock),
    close,
  };
}

function serverCertificate(authority: TestAuthority, country: string, hosts: readonly string[]): { key: string; cert: string } {
  const key = publishedKey('answers');
  const subject = { country, name: hosts[0] ?? 'localhost' };
  const cert = authority.issue({ subject, key, serial: '04', from: millisOf('2019-01-01'), to: millisOf('2049-12-31'), hosts });
  return { key: key.export({ type: 'pkcs8', format: 'pem' }) as string, cert };
}
