import { parseArgs } from 'node:util';
import { startEmulator } from './server.ts';

const { values } = parseArgs({
  options: {
    data: { type: 'string' },
    address: { type: 'string', default: '127.0.0.1' },
    port: { type: 'string', default: '2113' },
    'grace-ms': { type: 'string', default: '5000' },
  },
});
if (values.data === undefined) {
  console.error('usage: main.js --data FILE [--address IP] [--port N] [--grace-ms N]');
  process.exit(2);
}
const emulator = await startEmulator({ file: values.data, address: values.address, port: Number(values.port) });
console.log(`ready: ${emulator.url}`);

let stopping = false;
for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  process.on(signal, () => {
    if (stopping) return;
    stopping = true;
    void emulator.stop(Number(values['grace-ms'])).then(() => process.exit(0));
  });
}
