import { hostname } from 'node:os';
import { join, resolve } from 'node:path';
import { startSimulator } from '@svc/authority-simulator';
import { Engine } from '@svc/embedded';
import { PROJECTIONS, type StartableProjections } from '@svc/event-store';
import { termsOf } from '@svc/gateway';
import { CHAINS, collaboratorOf, SUBMISSIONS, type ChainContext, type SubmissionContext } from '@svc/fiscal-submission';
import { originsOf } from '@svc/fiscal-submission/connection-settings';
import { operatorsIn } from '@svc/webhooks-dispatcher';
import { SERIES, type SeriesContext } from '@svc/invoicing';
import { createIds, systemClock as clock } from '@svc/kernel';
import { drainHttp, fastifyOf, Health, installShutdown, startOps, startTelemetry, type Logger } from '@svc/service';
import { useDataFolder } from '@svc/service/process/data-folder';
import { checkPorts } from '@svc/service/process/ports';
import { currentRelease, releaseText } from '@svc/service/release';
import { runProgram } from '@svc/service/process/run-program';
import { waitFor } from '@svc/service/process/wait-for';
import { openAdapters } from './adapters.ts';
import { backupsOf } from './backup.ts';
import { composeSystem, databases as all } from './compose.ts';
import { earlierCopy } from './continuous/continuous-copy.ts';
import { changesFolder } from './continuous/copy-files.ts';
import { measuredCopy } from './continuous/measured-copy.ts';
import { encryptedIn } from './encrypted-in.ts';
import { StandaloneConfig } from './config.ts';
import { examineFolder, findingsText } from './examine-folder.ts';
import { rewriteDataFolder } from './first-format.ts';
import { FIRST_KEYS, FIRST_KEYS_SHOWN, firstKeys } from './first-keys.ts';
import { measureDisk, measureEngine, measureWal } from './metrics.ts';
import { findOldReadModels, replaceReadModels, serveOldReadModels } from './old-read-models.ts';
import { measuredBackups, scheduleOf } from './scheduled-backups.ts';
import { startScrubbing } from './scrubbing.ts';
import { operatorRoutes } from './operator-routes.ts';
import { openRootKeys, retiring } from './root-keys.ts';
import { checkSecrets, loadSecrets } from './secrets.ts';
import { phrases } from './phrases.ts';
import { renewLink, showLink, SIGN_IN_LINK } from './sign-in-link.ts';
import { showReady } from './ready-message.ts';
import { watchEngine } from './watch-engine.ts';

await runProgram({
  name: 'standalone',
  about: 'The whole system in one process on the embedded engine.',
  config: StandaloneConfig,
  start,
  check(config) {
    scheduleOf(config);
    checkSecrets(config.DATA_DIR, config);
    return findingsText(config.DATA_DIR, examineFolder(config.DATA_DIR));
  },
});

async function start(config: StandaloneConfig, logger: Logger): Promise<void> {
  const schedule = scheduleOf(config);
  await checkPorts(
    [
      { name: 'PORT', port: config.PORT, host: config.HOST },
      { name: 'OPS_PORT', port: config.OPS_PORT, host: config.HOST },
      { name: 'SIMULATOR_PORT', port: config.SIMULATOR_PORT, host: '127.0.0.1' },
    ],
    'npm start',
  );
  await useDataFolder(config.DATA_DIR, clock, logger);
  const { namespace: kept = '' } = checkSecrets(config.DATA_DIR, config);
  const { copies } = examineFolder(config.DATA_DIR);
  if (copies.length > 0) logger.info({ copies }, 'the data folder has copies from before an upgrade: remove them when you do not go back');
  const stopTelemetry = await startTelemetry({ service: 'standalone', logger });
  await rewriteDataFolder(config.DATA_DIR, logger);
  const isCopied = schedule?.continuous && !config.EVENT_STORE_URL && !config.KAFKA_BROKERS && !config.MONGODB_URL;
  const earlier = isCopied ? await earlierCopy(changesFolder(schedule.folder, config.NAMESPACE ?? kept), config.DATA_DIR) : undefined;
  const changes = isCopied ? { since: earlier?.since, at: earlier?.at } : undefined;
  const engine = Engine.open(config.DATA_DIR, { phrases, logger, changes });
  const secrets = loadSecrets(config.DATA_DIR, config);
  const keys = openRootKeys(config.DATA_DIR, config, secrets.keys);
  const health = new Health(clock);
  const publicUrl = config.PUBLIC_URL ?? `http://localhost:${config.PORT}`;
  let serving = false;
  health.register('http', () => serving || 'is starting');
  const ops = await startOps({ host: config.HOST, port: config.OPS_PORT, health, logger });
  const simulator = await startSimulator({
    port: config.SIMULATOR_PORT,
    host: '127.0.0.1',
    file: join(config.DATA_DIR, 'authority.sqlite'),
    clock,
    logger,
    ports: { 'al-cis': 0, 'me-efi': 0, 'es-verifactu': 0 },
  });
  measureEngine(engine);
  measureWal(engine);
  measureDisk(config.DATA_DIR);
  watchEngine(engine, { health, clock, logger });
  const { ports, servers } = await openAdapters({ engine, config, namespace: secrets.namespace, clock, logger });
  for (const { name, check } of servers) health.registerServer(name, check);
  const never = new AbortController().signal;
  for (const { name, opens } of servers) await waitFor(name, opens, { clock, logger, stopped: never, settings: config });

  const scrubbing = startScrubbing({ engine, clock, logger });
  const readModels = ports.documents('svc_invoicing');
  const old = servers.length === 0 ? await findOldReadModels(readModels, config.DATA_DIR) : [];
  const { liveUrls, testUrls } = originsOf(config);
  const ids = createIds(clock);
  const { app, gateway } = await composeSystem(
    {
      clock,
      ids,
      logger,
      health,
      ringOf: keys.ringOf,
      publicUrl,
      simulatorUrl: simulator.url,
      connections: {
        ...{ liveUrls, deployment: config, collaborator: await collaboratorOf(config) },
        testUrls: { ...addressesOf(simulator), ...testUrls },
      },
      pace: config.AUTHORITY_PACE,
      edge: config,
      console: termsOf(config, publicUrl),
      clockWitnesses: config.CLOCK_WITNESSES,
      webhooks: { allowed: config.WEBHOOKS_ALLOW, delays: config.WEBHOOKS_RETRY_DELAYS, keepDays: config.WEBHOOKS_KEEP_DAYS },
      wireLogKeepDays: config.WIRE_LOG_KEEP_DAYS,
      // The folder is locked, so a restarted process may take over its leases at once.
      holder: `standalone ${hostname()} ${resolve(config.DATA_DIR)}`,
      erased: scrubbing.erased,
    },
    ports,
  );
  const adminTokens = { token: secrets.adminToken, named: config.ADMIN_TOKENS };
  const databases = all.map(({ database }) => database);
  const backUp = backupsOf({ engine, folder: config.DATA_DIR, databases, clock });
  const copied = { system: secrets.namespace, dataFolder: config.DATA_DIR, logger };
  const copy = schedule && measuredCopy(schedule, { ...copied, engine, earlier });
  await ops.serve(
    ...operatorRoutes({
      accounts: gateway.accounts,
      bus: ports.bus,
      series: app.get<SeriesContext>(SERIES),
      chains: app.get<ChainContext>(CHAINS),
      submissions: app.get<SubmissionContext>(SUBMISSIONS),
      webhooks: operatorsIn(app),
      encrypted: encryptedIn(ports.documents, keys.ringOf),
      keys: retiring(keys, () => backUp.isRunning() || copy?.isBehind() === true),
      backUp: servers.length === 0 ? backUp : undefined,
      tokens: adminTokens,
      opsToken: config.OPS_TOKEN,
      clock,
      ids,
      logger,
    }),
  );
  const replaced = { documents: readModels, old, projections: app.get<StartableProjections>(PROJECTIONS), store: ports.eventStore, logger };
  await serveOldReadModels(replaced);
  await app.listen(config.PORT, config.HOST);
  replaceReadModels(replaced).catch((error: unknown) =>
    logger.error({ err: error }, 'read models that are replaced stay until the next start'),
  );
  const backups = schedule && servers.length === 0 ? measuredBackups(schedule, { ...copied, backUp, copy }) : undefined;
  // On servers each namespace is another system.
  const mark = join(config.DATA_DIR, config.MONGODB_URL ? `${FIRST_KEYS_SHOWN}.${secrets.namespace}` : FIRST_KEYS_SHOWN);
  // A log is no place for keys.
  const keysFile = config.SETUP_FILE ?? (process.stdout.isTTY ? undefined : join(resolve(config.DATA_DIR), FIRST_KEYS));
  const demoKeys = firstKeys({
    config: { ...config, SETUP_FILE: keysFile },
    mark,
    accounts: gateway.accounts,
    adminToken: secrets.adminToken,
  });
  const demo = await demoKeys.make();
  const link = await demoKeys.link();
  const signIn = showLink(link, join(resolve(config.DATA_DIR), SIGN_IN_LINK));
  const account = await demoKeys.account();
  if (!demo) renewLink({ file: config.SETUP_FILE ?? join(resolve(config.DATA_DIR), FIRST_KEYS), account, link, logger });
  serving = true;
  const release = releaseText(currentRelease());
  showReady({ release, publicUrl, opsPort: config.OPS_PORT, demo, account, signIn }, keysFile);
  demoKeys.shown();

  installShutdown({
    health,
    logger,
    clock,
    async stop() {
      await drainHttp(fastifyOf(app), clock);
      await app.close();
      await simulator.close();
      await stopTelemetry();
      for (const { close } of servers) await close();
      await ops.close();
      await backups?.stop();
      await scrubbing.stop();
      await copy?.stop();
      engine.close();
      copy?.closed();
    },
  });
}

function addressesOf({ addresses }: { addresses: Readonly<Record<string, string>> }): Record<string, string> {
  return Object.fromEntries(Object.entries(addresses).map(([authority, address]) => [authority, `https://${address}`]));
}
