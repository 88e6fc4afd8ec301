import { readFileSync } from 'node:fs';

/** The address of a server in a setting. */
export interface ServerAddress {
  /** Name of the setting. */
  variable: string;
  hosts: { host: string; port: number }[];
  /** undefined: without TLS. */
  tls: { ca: string | undefined } | undefined;
}

export interface ServerSettings {
  EVENT_STORE_URL?: string | undefined;
  MONGODB_URL?: string | undefined;
  KAFKA_BROKERS?: readonly string[] | undefined;
  KAFKA_TLS?: boolean;
  KAFKA_TLS_CA_FILE?: string | undefined;
}

const DEFAULT_PORT = { esdb: 2113, mongodb: 27_017 };

/** The address of a server by its name; undefined if the setting does not have one (`mongodb+srv`). */
export function serverAddress(server: string, settings: ServerSettings): ServerAddress | undefined {
  const { EVENT_STORE_URL, MONGODB_URL, KAFKA_BROKERS, KAFKA_TLS = false, KAFKA_TLS_CA_FILE } = settings;
  if (server === 'kafka' && KAFKA_BROKERS) {
    const hosts = KAFKA_BROKERS.map((one) => hostOf(one, 9092));
    return { variable: 'KAFKA_BROKERS', hosts, tls: tlsOf(KAFKA_TLS, KAFKA_TLS_CA_FILE) };
  }
  if (server === 'eventstoredb' && EVENT_STORE_URL) return ofUrl('EVENT_STORE_URL', EVENT_STORE_URL, DEFAULT_PORT.esdb, 'true');
  if (server === 'mongodb' && MONGODB_URL?.startsWith('mongodb:')) return ofUrl('MONGODB_URL', MONGODB_URL, DEFAULT_PORT.mongodb, 'false');
  return undefined;
}

function ofUrl(variable: string, url: string, port: number, tlsByDefault: string): ServerAddress {
  const [, hosts = '', query = ''] = /^[\w+]+:\/\/(?:[^@]*@)?([^/?]+)\/?[^?]*(?:\?(.*))?$/.exec(url) ?? [];
  const options = new URLSearchParams(query);
  const speaksTls = (options.get('tls') ?? options.get('ssl') ?? tlsByDefault) === 'true';
  return {
    variable,
    hosts: hosts.split(',').map((one) => hostOf(one, port)),
    tls: tlsOf(speaksTls, options.get('tlsCAFile') ?? undefined),
  };
}

/** The authorities in a PEM file, where one is given. */
export const tlsOf = (speaksTls: boolean, file: string | undefined): ServerAddress['tls'] =>
  speaksTls ? { ca: file === undefined ? undefined : readFileSync(file, 'utf8') } : undefined;

function hostOf(text: string, port: number): { host: string; port: number } {
  const [, host = text, given] = /^(.*?)(?::(\d+))?$/.exec(text) ?? [];
  return { host: host.replace(/^\[(.*)\]$/, '$1'), port: given === undefined ? port : Number(given) };
}
