import 'reflect-metadata';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startSimulator } from '@svc/authority-simulator';
import { Engine } from '@svc/embedded';
import { adminRoutes, ensureDemoAccount, moreDemoKeys, type AccountsContext, type DemoAccount } from '@svc/gateway';
import { createIds, systemClock as clock } from '@svc/kernel';
import {
  ConfigError,
  createLogger,
  describeConfig,
  Health,
  installShutdown,
  loadConfig,
  parseKeyRing,
  startOps,
  startTelemetry,
} from '@svc/service-kit';
import { composeSystem } from './compose.ts';
import { StandaloneConfig } from './config.ts';
import { measureEngine } from './metrics.ts';
import { keepPrivately, loadSecrets } from './secrets.ts';
import { told } from './told.ts';

if (process.argv.includes('--help')) {
  console.log(
    `The whole system in one process on the embedded engine. Settings, from the environment:\n\n${describeConfig(StandaloneConfig)}`,
  );
  process.exit(0);
}

try {
  await start(loadConfig(StandaloneConfig, process.env));
} catch (error) {
  // What an operator can mend is told in its own words; anything else is a defect and keeps its stack.
  const mendable = error instanceof ConfigError || /data folder|EADDRINUSE|EACCES/.test(String(error));
  console.error(mendable ? (error as Error).message : error);
  process.exit(1);
}

async function start(config: StandaloneConfig): Promise<void> {
  const logger = createLogger({ level: config.LOG_LEVEL, service: 'standalone' });
  process.on('unhandledRejection', (error) => {
    logger.fatal({ err: error }, 'unhandled rejection');
    process.exit(1); // what was acknowledged is stored; a process in an unknown state is not to go on
  });
  const stopTelemetry = await startTelemetry({ endpoint: config.OTEL_EXPORTER_OTLP_ENDPOINT, service: 'svc' });
  const engine = Engine.open(config.DATA_DIR);
  const secrets = loadSecrets(config.DATA_DIR, config);
  const health = new Health(clock);
  const publicUrl = config.PUBLIC_URL ?? `http://localhost:${config.PORT}`;
  const simulator = await startSimulator({
    port: config.SIMULATOR_PORT,
    host: '127.0.0.1',
    file: join(config.DATA_DIR, 'authority.sqlite'),
    clock,
    logger,
  });
  let serving = false;
  health.register('http', () => serving || 'is starting');
  measureEngine(engine);

  const { app, gateway } = await composeSystem({
    engine,
    clock,
    ids: createIds(clock),
    logger,
    health,
    ring: parseKeyRing(secrets.secretsKey),
    publicUrl,
    simulatorUrl: simulator.url,
    pace: config.AUTHORITY_PACE,
    edge: config,
    webhooks: { allowed: config.WEBHOOKS_ALLOW, delays: config.WEBHOOKS_RETRY_DELAYS },
  });
  const ops = await startOps({
    host: config.HOST,
    port: config.OPS_PORT,
    health,
    logger,
    admin: adminRoutes(gateway.accounts, secrets.adminToken),
  });
  await app.listen(config.PORT, config.HOST);
  const demo = await firstStart(config, gateway.accounts, secrets.adminToken);
  serving = true;
  console.log(told({ publicUrl, opsPort: config.OPS_PORT, demo }));
  if (demo) writeFileSync(shownMark(config), '', { mode: 0o600 });

  installShutdown({
    health,
    logger,
    clock,
    async stop() {
      await app.close();
      await simulator.close();
      await ops.close();
      await stopTelemetry();
      engine.close();
    },
  });
}

function shownMark({ DATA_DIR }: StandaloneConfig): string {
  return join(DATA_DIR, 'first-keys-shown');
}

/** The demo account's keys until a start has shown them: one that ended before that shows others the next time. */
async function firstStart(config: StandaloneConfig, accounts: AccountsContext, adminToken: string): Promise<DemoAccount | undefined> {
  if (existsSync(shownMark(config))) return undefined;
  const email = 'demo@example.com';
  const demo = (await ensureDemoAccount(accounts, { plan: config.DEMO_PLAN, email })) ?? (await moreDemoKeys(accounts));
  if (config.SETUP_FILE) keepPrivately(config.SETUP_FILE, JSON.stringify({ ...demo, admin_token: adminToken, email }, null, 2));
  return demo;
}
