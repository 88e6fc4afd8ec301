import { systemClock as clock } from '@svc/kernel';
import { Health } from '@svc/service/health/health';
import { installShutdown } from '@svc/service/shutdown/shutdown';
import { runProgram } from '@svc/service/process/run-program';
import { SimulatorConfig } from './config.ts';
import { startSimulator } from './server.ts';

await runProgram({
  name: 'authority-simulator',
  about: 'Tax authorities on their own protocols, with scripted faults.',
  config: SimulatorConfig,
  async start(config, logger) {
    const { SIMULATOR_PORT: port, HOST: host, LEDGER_FILE: file, TLS_HOSTS: tlsHosts } = config;
    const ports = { 'al-cis': config.AL_CIS_PORT, 'me-efi': config.ME_EFI_PORT, 'es-verifactu': config.ES_VERIFACTU_PORT };
    const simulator = await startSimulator({ port, host, file, clock, logger, ports, tlsHosts, wireBytes: config.WIRE_MIB * 1_048_576 });
    logger.info({ addresses: simulator.addresses, url: simulator.url }, 'the tax authority simulator listens');
    installShutdown({ health: new Health(clock), logger, clock, stop: () => simulator.close() });
  },
});
