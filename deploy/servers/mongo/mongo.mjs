// A server of the MongoDB protocol where no mongod can be had: the emulator, compiled from its sources.
import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { cached, fetchJars } from '../java/cached.mjs';
import { requireTools } from '../java/toolchain.mjs';
import { run } from '../process/run.mjs';
import { createServer } from '../process/server.mjs';
import { mongoAnswers } from './hello.mjs';

const REPLICA_SET = 'rs0';
const emulator = join(import.meta.dirname, '..', '..', '..', 'emulators', 'mongodb');
const pom = join(emulator, 'pom.xml');
const sources = join(emulator, 'devmongo');

/** The folder of its jars and classes. */
function built(tell) {
  const files = readdirSync(sources)
    .sort()
    .map((name) => join(sources, name));
  return cached('mongo', [pom, ...files], (folder) => {
    requireTools(['java', 'javac', 'mvn'], tell);
    tell('fetching and building the MongoDB emulator …');
    fetchJars(pom, join(folder, 'lib'));
    mkdirSync(join(folder, 'classes'));
    run('javac', ['-cp', join(folder, 'lib', '*'), '-d', join(folder, 'classes'), ...files]);
  });
}

/**
 * Documents stay in its memory. A heap that grows is collected whole each time, which stopped it for 0.8 s at 260 MB and 1.2 s at 450 MB;
 * with all of it from the start, and little of that for what is new, the longest stop at 300 invoices a second was 0.09 s.
 */
const HEAP = ['-Xms1g', '-Xmx1g', '-Xmn64m', '-XX:+UseSerialGC'];

/** @param {{ folder: string, port: number, tell: (text: string) => void }} options */
export function createMongo({ folder, port, tell }) {
  return createServer({
    name: 'mongo',
    folder,
    ports: [port],
    // As a replica set, so that drivers repeat a write whose connection broke.
    url: `mongodb://127.0.0.1:${port}/?replicaSet=${REPLICA_SET}`,
    async prepare() {
      requireTools(['java'], tell);
      const program = built(tell);
      const classpath = `${join(program, 'classes')}:${join(program, 'lib', '*')}`;
      const file = join(folder, 'data.mv');
      return {
        command: 'java',
        args: [...HEAP, '-cp', classpath, 'devmongo.DevMongo', String(port), file, REPLICA_SET],
      };
    },
    answers: () => mongoAnswers(port),
  });
}
