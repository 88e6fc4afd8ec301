// The MongoDB emulator, compiled from its sources, for machines without mongod.
import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { cached, fetchJars } from '../java/cached.mjs';
import { requireTools } from '../java/toolchain.mjs';
import { run } from '../process/run.mjs';
import { createServer } from '../process/server.mjs';
import { mongoAnswers } from './hello.mjs';

const REPLICA_SET = 'rs0';
const emulator = join(import.meta.dirname, '..', '..', 'mongodb');
const pom = join(emulator, 'pom.xml');
const sources = join(emulator, 'devmongo');

/** Builds the emulator if needed; returns the folder of its jars and classes. */
function built(log) {
  const files = readdirSync(sources)
    .sort()
    .map((name) => join(sources, name));
  return cached('mongo', [pom, ...files], (folder) => {
    requireTools(['java', 'javac', 'mvn'], log);
    log('fetching and building the MongoDB emulator …');
    fetchJars(pom, join(folder, 'lib'));
    mkdirSync(join(folder, 'classes'));
    run('javac', ['-cp', join(folder, 'lib', '*'), '-d', join(folder, 'classes'), ...files]);
  });
}

/**
 * The emulator keeps documents in memory. A growing heap is collected whole each time, which stopped it for 0.8 s at 260 MB and 1.2 s at
 * 450 MB; with a fixed heap and a small young generation the longest stop at 300 invoices a second was 0.09 s.
 */
const HEAP = ['-Xms1g', '-Xmx1g', '-Xmn64m', '-XX:+UseSerialGC'];

/** @param {{ folder: string, address: string, port: number, log: (text: string) => void }} options */
export function createMongo({ folder, address, port, log }) {
  return createServer({
    name: 'mongo',
    folder,
    address,
    ports: [port],
    // A replica set, so that drivers repeat a write after a lost connection.
    url: `mongodb://${address}:${port}/?replicaSet=${REPLICA_SET}`,
    async prepare() {
      requireTools(['java'], log);
      const program = built(log);
      const classpath = `${join(program, 'classes')}:${join(program, 'lib', '*')}`;
      const file = join(folder, 'data.mv');
      return {
        command: 'java',
        args: [...HEAP, '-cp', classpath, 'devmongo.DevMongo', address, String(port), file, REPLICA_SET],
      };
    },
    answers: () => mongoAnswers(address, port),
  });
}
