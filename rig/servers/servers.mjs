// npm run servers -- start | stop | status | kill | pause | resume | wipe. See --help.
import { isIP } from 'node:net';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { buildEventStore } from './event-store/event-store.mjs';
import { ServersError } from './process/servers-error.mjs';
import { kinds, openServers } from './start-servers.mjs';

const HELP = `Servers without Docker: Kafka itself, emulators of MongoDB and EventStoreDB. Their data survives kill -9.

  start    returns when all answer; prints KAFKA_BROKERS=…, MONGODB_URL=…, EVENT_STORE_URL=…, a line each
  stop     stops them in their own order
  status   a line for each; ends 1 unless all answer
  kill     kill -9
  pause    SIGSTOP: they stand still with their connections open
  resume   SIGCONT
  wipe     stops them and deletes what they have stored

  --dir DIR        holds everything of theirs; .servers in the repository            SERVERS_DIR
  --address IP     on which they listen and which they give to clients; 127.0.0.1    SERVERS_ADDRESS
  --brokers N      Kafka brokers, 1 or 3; fixed by the first start                   SERVERS_BROKERS
  --ports LIST     kafka=19092,mongo=27017,event-store=2113; 0 is any free one       SERVERS_PORTS
                   (broker i of Kafka has this port + 2 (i - 1), and the next one)
  --only LIST      kafka, mongo, event-store, or kafka-2 for one broker; all without it
  SERVERS_CACHE    what is fetched and compiled once; ~/.cache/invoicing-platform/servers
`;

function options() {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      dir: { type: 'string', default: process.env.SERVERS_DIR ?? join(import.meta.dirname, '..', '..', '.servers') },
      address: { type: 'string', default: process.env.SERVERS_ADDRESS },
      brokers: { type: 'string', default: process.env.SERVERS_BROKERS },
      ports: { type: 'string', default: process.env.SERVERS_PORTS },
      only: { type: 'string' },
      help: { type: 'boolean' },
    },
  });
  const brokers = values.brokers === undefined ? undefined : Number(values.brokers);
  if (brokers !== undefined && brokers !== 1 && brokers !== 3) throw new ServersError(`--brokers is 1 or 3, not ${values.brokers}`);
  const { dir, address } = values;
  if (address !== undefined && isIP(address) !== 4) throw new ServersError(`--address is an address of this machine, not ${address}`);
  const only = values.only?.split(',');
  return { command: values.help ? 'help' : positionals.join(' '), dir, address, brokers, only, ports: portsOf(values.ports) };
}

function portsOf(text) {
  if (!text) return {};
  const ports = text.split(',').map((part) => part.split('='));
  for (const [name, port] of ports)
    if (!kinds.includes(name) || !/^\d{1,5}$/.test(port) || Number(port) > 65_535)
      throw new ServersError(`--ports takes ${kinds.map((kind) => `${kind}=PORT`).join(',')}, not ${name}=${port}`);
  return Object.fromEntries(ports.map(([name, port]) => [name, Number(port)]));
}

const commands = {
  async start(servers) {
    if (servers.chosen.includes(servers.eventStore) && servers.eventStore.pid === undefined) buildEventStore(console.error);
    await servers.start();
    for (const [name, url] of Object.entries(servers.env)) console.log(`${name}=${url}`);
  },
  stop: (servers) => servers.stop(),
  wipe: (servers) => servers.wipe(),
  async status(servers) {
    const all = await Promise.all(servers.chosen.map((server) => server.status()));
    for (const { name, state, port, pid, memory } of all)
      console.log([name.padEnd(12), state.padEnd(16), `port ${port}`, ...(pid ? [`pid ${pid}`, `${memory} MiB`] : [])].join('  '));
    if (!all.every(({ state }) => state === 'answers')) process.exitCode = 1;
  },
  kill: (servers) => Promise.all(servers.chosen.map((server) => server.kill9())),
  pause: (servers) => Promise.all(servers.chosen.map((server) => server.pause())),
  resume: (servers) => Promise.all(servers.chosen.map((server) => server.resume())),
};

try {
  const { command, ...given } = options();
  if (command === 'help') console.log(HELP);
  else if (!Object.hasOwn(commands, command)) throw new ServersError(`no such command: ${command || '(none)'}\n\n${HELP}`);
  else await commands[command](await openServers(given));
} catch (error) {
  const isUserError = error instanceof ServersError || String(error.code).startsWith('ERR_PARSE_ARGS');
  console.error(isUserError ? error.message : error);
  process.exit(1);
}
