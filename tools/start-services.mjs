// npm run start:services: the system as separate processes on the servers named by the environment, with the guarantees of `npm start`: one command, one public
// port, everything created at the first start, stopped by one signal.
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import {
  checkPorts,
  ConfigError,
  connectionFailure,
  createTopics,
  currentRelease,
  describeConfig,
  loadConfig,
  loadSecrets,
  lockFolder,
  readable,
  releaseText,
  showLink,
  showReady,
  SIGN_IN_LINK,
  serverAddress,
  ServicesConfig,
  serviceSecrets,
  StartError,
  systemClock,
  useDataFolder,
  withSecrets,
} from '../services/standalone/dist/bundle/launching.mjs';
import { say, showLines } from './lines.mjs';
import { freePlaces, processesOf } from './services.mjs';
import { keepRunning, sleep } from './supervise.mjs';

/** The time that gateways have for open requests before the other processes stop too. */
const GATEWAYS_MS = 8_000;
const ALL_MS = 28_000;
/** The time in which the processes of a start that was killed end. */
const LEFT_MS = 5_000;
/** One Ctrl-C arrives twice: from the terminal and from npm. */
const SAME_WISH_MS = 1_000;

const children = [];
/** The lock of the data folder, held while this process lives. */
let held;

if (process.argv.includes('--help')) {
  console.log(
    `The system as processes of their own, on Kafka, MongoDB and EventStoreDB. Settings, from the environment:\n\n${describeConfig(ServicesConfig)}`,
  );
  process.exit(0);
}

let stopAsked;
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'])
  process.on(signal, () => {
    if (stopAsked === undefined) {
      stopAsked = Date.now();
      stopAll().then(process.exit);
    } else if (Date.now() - stopAsked > SAME_WISH_MS) {
      process.exit(1); // the children end with this process
    }
  });

try {
  await start(loadConfig(ServicesConfig, process.env));
} catch (error) {
  if (stopAsked === undefined) {
    const fixable = error instanceof ConfigError || error instanceof StartError || /data folder/.test(String(error));
    console.error(fixable ? error.message : error);
    if (error instanceof ConfigError && error.wrong.some(isMissingServer))
      console.error('npm run servers -- start starts such servers on this machine, and prints these settings.');
    process.exit(1);
  }
}

function isMissingServer({ name, was }) {
  return was === undefined && ['EVENT_STORE_URL', 'KAFKA_BROKERS', 'MONGODB_URL'].includes(name);
}

async function start(config) {
  const { PORT, OPS_PORT, SIMULATOR_PORT, HOST, DATA_DIR, REPLICAS } = config;
  // Reported here by one line, otherwise a process would end again and again.
  const ports = [
    { name: 'PORT', port: PORT, host: HOST },
    { name: 'OPS_PORT', port: OPS_PORT, host: HOST },
    { name: 'SIMULATOR_PORT', port: SIMULATOR_PORT, host: '127.0.0.1' },
  ];
  await untilFree(ports, existsSync(DATA_DIR) ? Date.now() + LEFT_MS : 0);
  await useDataFolder(DATA_DIR, systemClock, { warn: ({ path = DATA_DIR }, message) => console.error(`${message}: ${path}`) });
  held = lockFolder(DATA_DIR);
  const system = loadSecrets(DATA_DIR, config);
  const secrets = serviceSecrets(system);
  await untilTopics(config, system.namespace);
  if (stopAsked !== undefined) return;

  const mark = join(DATA_DIR, `first-keys-shown.${system.namespace}`);
  const setupFile = config.SETUP_FILE ?? join(DATA_DIR, 'first-keys.json');
  const publicUrl = config.PUBLIC_URL ?? `http://localhost:${PORT}`;
  const first = { gateway: { port: PORT, opsPort: OPS_PORT }, 'authority-simulator': { port: SIMULATOR_PORT } };
  const env = withSecrets(process.env);
  const { KAFKA_BROKERS, MONGODB_URL, EVENT_STORE_URL } = env;
  const processes = processesOf({
    places: await freePlaces({ replicas: REPLICAS, first }),
    servers: { KAFKA_BROKERS, MONGODB_URL, EVENT_STORE_URL },
    namespace: system.namespace,
    secrets,
    publicUrl,
    host: HOST,
    ledgerFile: join(DATA_DIR, 'authority.sqlite'),
    setupFile,
    env,
  });
  const show = showLines({ width: Math.max(...processes.map(({ name }) => name.length)), readable });
  // The gateway at the public port starts last: when it is ready, all are.
  const door = processes.find(({ name }) => name === 'gateway-1');
  const run = (process) => {
    const child = keepRunning(process, { show, say });
    children.push({ ...child, service: process.service });
    return child.ready();
  };
  await Promise.all(processes.filter((one) => one !== door).map(run));
  if (stopAsked !== undefined) return;
  await run(door);
  if (stopAsked !== undefined) return;

  const keys = existsSync(setupFile) ? JSON.parse(readFileSync(setupFile, 'utf8')) : {};
  const account = existsSync(mark) ? readFileSync(mark, 'utf8') : undefined;
  const demo = account === undefined && keys.test_key ? keys : undefined;
  // The file may have those of another system.
  const link = !account || keys.account_id === account ? (keys.sign_in_url ?? undefined) : undefined;
  const signIn = showLink(link, join(resolve(DATA_DIR), SIGN_IN_LINK));
  showReady({ release: releaseText(currentRelease()), publicUrl, opsPort: OPS_PORT, demo, account, signIn }, setupFile);
  for (const { name, url } of processes.filter(({ service }) => service === 'gateway')) if (REPLICAS > 1) console.log(`${name} ${url}`);
  if (account === undefined) writeFileSync(mark, demo?.account_id ?? '', { mode: 0o600 });
  if (!config.SETUP_FILE && process.stdout.isTTY) rmSync(setupFile, { force: true });
}

/** The processes of a start that was killed may have something in hand before they see that it is gone: their ports are free then. */
async function untilFree(ports, until) {
  for (;;) {
    try {
      return await checkPorts(ports, 'npm run start:services');
    } catch (error) {
      if (!(error instanceof StartError) || Date.now() >= until) throw error;
      await sleep(200);
    }
  }
}

async function untilTopics({ KAFKA_BROKERS: brokers }, namespace) {
  for (let reported; stopAsked === undefined; await sleep(1_000)) {
    try {
      return await createTopics({ brokers, namespace });
    } catch (error) {
      const why = (await connectionFailure(serverAddress('kafka', { KAFKA_BROKERS: brokers }))) ?? error.message;
      if (reported !== why) say(`Kafka cannot be used yet: ${(reported = why)}`);
    }
  }
}

/** Stops the gateways first, so that the services get no more requests, and the authority simulator last. Returns the exit code. */
async function stopAll() {
  const of = (wanted) => children.filter(({ service }) => wanted(service)).map((child) => child.stop('SIGTERM'));
  const stopped = (async () => {
    await Promise.race([Promise.all(of((service) => service === 'gateway')), sleep(GATEWAYS_MS)]);
    await Promise.all(of((service) => service !== 'authority-simulator'));
    await Promise.all(of((service) => service === 'authority-simulator'));
    return true;
  })();
  const inTime = await Promise.race([stopped, sleep(ALL_MS)]);
  held?.();
  if (inTime) return 0;
  say('not everything stopped in time');
  for (const child of children) child.stop('SIGKILL');
  return 1;
}
