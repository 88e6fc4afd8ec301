import { systemClock as clock } from '@svc/kernel';
import { Health } from '@svc/service/health/health';
import { installShutdown } from '@svc/service/shutdown/shutdown';
import { runProgram } from '@svc/service/process/run-program';
import { SimulatorConfig } from './config.ts';
import { startSimulator } from './server.ts';

await runProgram({
  name: 'authority-simulator',
  about: 'A tax authority on the wire, with scripted faults.',
  config: SimulatorConfig,
  async start({ SIMULATOR_PORT, HOST, LEDGER_FILE }, logger) {
    const simulator = await startSimulator({ port: SIMULATOR_PORT, host: HOST, file: LEDGER_FILE, clock, logger });
    logger.info({ url: simulator.url }, 'the tax authority simulator listens');
    installShutdown({ health: new Health(clock), logger, clock, stop: () => simulator.close() });
  },
});
