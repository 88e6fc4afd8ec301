// The EventStoreDB emulator on a file. EventStoreDB itself is distributed only as an image.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { run } from '../process/run.mjs';
import { createServer } from '../process/server.mjs';
import { eventStoreAnswers } from './features.mjs';

const root = join(import.meta.dirname, '..', '..', '..');
const bin = join(root, 'node_modules', '.bin');
const program = join(root, 'rig', 'eventstoredb', 'dist', 'main.js');

/** Builds the emulator when its source has changed since the last build. @param {(text: string) => void} log */
export function buildEventStore(log) {
  log('building the EventStoreDB emulator …');
  const env = { ...process.env, NX_DAEMON: 'false', PATH: `${bin}:${process.env.PATH}` };
  run(join(bin, 'nx'), ['build', '@svc/eventstoredb-emulator', '--output-style=static'], { cwd: root, env });
}

/** @param {{ folder: string, address: string, port: number, log: (text: string) => void }} options */
export function createEventStore({ folder, address, port, log }) {
  return createServer({
    name: 'event-store',
    folder,
    address,
    ports: [port],
    url: `esdb://${address}:${port}?tls=false`,
    async prepare() {
      if (!existsSync(program)) buildEventStore(log);
      return { command: join(bin, 'node'), args: [program, '--data', join(folder, 'data'), '--address', address, '--port', String(port)] };
    },
    answers: () => eventStoreAnswers(address, port),
  });
}
