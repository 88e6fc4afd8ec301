// Apache Kafka in KRaft mode, from Maven Central.
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { cached, fetchJars } from '../java/cached.mjs';
import { requireTools } from '../java/toolchain.mjs';
import { run } from '../process/run.mjs';
import { createServer } from '../process/server.mjs';
import { metadataOf } from './metadata.mjs';
import { properties } from './properties.mjs';

const CLUSTER_ID = 'ZGV2LW9ubHktY2x1c3RlcjE';
const QUIET = '-Dorg.slf4j.simpleLogger.defaultLogLevel=warn';
const pom = join(import.meta.dirname, 'pom.xml');

function jars(log) {
  return cached('kafka', [pom], (folder) => {
    requireTools(['java', 'mvn'], log);
    log('fetching Kafka (44 MB) …');
    fetchJars(pom, folder);
  });
}

/**
 * @param {{ folder: string, address: string, id: number, nodes: { port: number, controllerPort: number }[], log: (text: string) => void }} options
 *   the id counts from 1 within the nodes of the cluster
 * @param {{ settings: string, users: string[] }} [more] lines that overrule those of server.properties; users as `--add-scram` takes them
 */
export function createBroker({ folder, address, id, nodes, log }, { settings, users } = { settings: '', users: [] }) {
  const { port, controllerPort } = nodes[id - 1];
  const data = join(folder, 'data');
  const configuration = join(folder, 'server.properties');
  const heap = nodes.length > 1 ? '-Xmx320m' : '-Xmx512m';

  return createServer({
    name: `kafka-${id}`,
    folder,
    address,
    ports: [port, controllerPort],
    url: `${address}:${port}`,
    async prepare() {
      requireTools(['java'], log);
      const classpath = join(jars(log), '*');
      mkdirSync(data, { recursive: true });
      writeFileSync(configuration, `${properties({ address, id, nodes, data })}\n${settings}`);
      if (!existsSync(join(data, 'meta.properties'))) format(classpath, configuration, users);
      const times = ['-Dorg.slf4j.simpleLogger.showDateTime=true', '-Dorg.slf4j.simpleLogger.dateTimeFormat=HH:mm:ss.SSS'];
      const args = [heap, '-Xms64m', '-XX:+UseSerialGC', QUIET, ...times, '-cp', classpath, 'kafka.Kafka', configuration];
      return { command: 'java', args };
    },
    async answers() {
      const cluster = await metadataOf(address, port);
      return cluster !== undefined && cluster.controller >= 0 && cluster.brokers.includes(id);
    },
  });
}

function format(classpath, configuration, users) {
  const tool = ['kafka.tools.StorageTool', 'format', '--ignore-formatted', '--cluster-id', CLUSTER_ID, '--config', configuration];
  const scram = users.flatMap((user) => ['--add-scram', user]);
  run('java', ['-Xmx128m', '-XX:TieredStopAtLevel=1', QUIET, '-cp', classpath, ...tool, ...scram]);
}
