import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Cluster } from '../kafka/cluster.ts';
import { ROOT } from './kafka-fixture.ts';

const ADDRESS = '127.0.0.1';
const PASSWORD = 'not a secret';
export const USER = 'invoicing';

interface Server {
  start(): Promise<void>;
  kill9(): Promise<void>;
}
type CreateBroker = (broker: object, more: { settings: string; users: string[] }) => Server;

export interface SecuredBroker {
  /** By the listener that asks for TLS and a user. */
  secured: Cluster & Required<Pick<Cluster, 'tls' | 'sasl'>>;
  /** PEM file of the authority. */
  caFile: string;
  /** By a listener where everybody is an administrator. */
  open: Cluster;
  stop(): Promise<void>;
}

/** Starts a broker with a certificate of its own, a user, and access to what ACLs allow alone. */
export async function startSecuredBroker(): Promise<SecuredBroker> {
  const folder = mkdtempSync(join(tmpdir(), 'kafka-secured-'));
  const { createBroker } = (await import(join(ROOT, 'rig/servers/kafka/kafka.mjs'))) as { createBroker: CreateBroker };
  const { freePorts } = (await import(join(ROOT, 'rig/servers/process/ports.mjs'))) as {
    freePorts: (count: number) => Promise<[number, number, number]>;
  };
  const [port, controllerPort, securedPort] = await freePorts(3);
  const { keyStore, caFile } = certificateIn(folder);
  const server = createBroker(
    { folder: join(folder, 'broker'), address: ADDRESS, id: 1, nodes: [{ port, controllerPort }], log: () => undefined },
    { settings: settings({ port, controllerPort, securedPort, keyStore }), users: [`SCRAM-SHA-512=[name=${USER},password=${PASSWORD}]`] },
  );
  const stop = async (): Promise<void> => {
    await server.kill9();
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    await server.start();
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    secured: {
      brokers: [`${ADDRESS}:${securedPort}`],
      tls: { ca: readFileSync(caFile, 'utf8') },
      sasl: { mechanism: 'scram-sha-512', username: USER, password: PASSWORD },
    },
    caFile,
    open: { brokers: [`${ADDRESS}:${port}`] },
    stop,
  };
}

function certificateIn(folder: string): { keyStore: string; caFile: string } {
  const [keyStore, caFile] = [join(folder, 'broker.p12'), join(folder, 'ca.crt')];
  const keytool = (...args: string[]): void => {
    execFileSync('keytool', [...args, '-alias', 'broker', '-keystore', keyStore, '-storepass', PASSWORD], { stdio: 'ignore' });
  };
  keytool('-genkeypair', '-keyalg', 'EC', '-dname', 'CN=broker', '-ext', `SAN=ip:${ADDRESS}`, '-storetype', 'PKCS12');
  keytool('-exportcert', '-rfc', '-file', caFile);
  return { keyStore, caFile };
}

interface Listeners {
  port: number;
  controllerPort: number;
  securedPort: number;
  keyStore: string;
}

const settings = ({ port, controllerPort, securedPort, keyStore }: Listeners): string => `
listeners=PLAINTEXT://${ADDRESS}:${port},SECURED://${ADDRESS}:${securedPort},CONTROLLER://${ADDRESS}:${controllerPort}
advertised.listeners=PLAINTEXT://${ADDRESS}:${port},SECURED://${ADDRESS}:${securedPort}
listener.security.protocol.map=PLAINTEXT:PLAINTEXT,SECURED:SASL_SSL,CONTROLLER:PLAINTEXT
ssl.keystore.location=${keyStore}
ssl.keystore.password=${PASSWORD}
listener.name.secured.sasl.enabled.mechanisms=SCRAM-SHA-512
listener.name.secured.scram-sha-512.sasl.jaas.config=org.apache.kafka.common.security.scram.ScramLoginModule required;
authorizer.class.name=org.apache.kafka.metadata.authorizer.StandardAuthorizer
super.users=User:ANONYMOUS
`;
