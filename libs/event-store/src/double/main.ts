import { parseArgs } from 'node:util';
import { startDouble } from './server.ts';

const { values } = parseArgs({
  options: { data: { type: 'string' }, port: { type: 'string', default: '2113' }, 'grace-ms': { type: 'string', default: '5000' } },
});
if (values.data === undefined) {
  console.error('usage: main.js --data FILE [--port N] [--grace-ms N]');
  process.exit(2);
}
const double = await startDouble({ file: values.data, port: Number(values.port) });
console.log(`ready: ${double.url}`);

let stopping = false;
for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  process.on(signal, () => {
    if (stopping) return;
    stopping = true;
    void double.stop(Number(values['grace-ms'])).then(() => process.exit(0));
  });
}
