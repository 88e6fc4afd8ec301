import { systemClock } from '@svc/kernel';
import { startSimulator } from './server.ts';

/** The simulator as a process of its own. `SIMULATOR_PORT` (3002), `HOST` (127.0.0.1), `LEDGER_FILE` (authority-ledger.sqlite). */
const { SIMULATOR_PORT = '3002', HOST = '127.0.0.1', LEDGER_FILE = 'authority-ledger.sqlite' } = process.env;
if (!/^\d{1,5}$/.test(SIMULATOR_PORT) || Number(SIMULATOR_PORT) > 65_535) {
  console.error(`SIMULATOR_PORT is ${JSON.stringify(SIMULATOR_PORT)}; it must be a port, 0 (any free one) to 65535`);
  process.exit(1);
}
const logger = { warn: (fields: object, message: string) => console.error(JSON.stringify({ level: 'warn', message, ...fields })) };
const simulator = await startSimulator({ port: Number(SIMULATOR_PORT), host: HOST, file: LEDGER_FILE, clock: systemClock, logger });
console.log(`The tax authority simulator listens on ${simulator.url}`);

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    void simulator.close().then(() => process.exit(0));
  });
}
