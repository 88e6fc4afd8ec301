import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startProgram } from '@svc/testkit';

const servers = {
  KAFKA_BROKERS: '127.0.0.1:1',
  MONGODB_URL: 'mongodb://127.0.0.1:1',
  EVENT_STORE_URL: 'esdb://127.0.0.1:1?tls=false',
};
const run = async (env: Record<string, string>, args: string[] = []) => {
  const program = startProgram('tools/start-services.mjs', { env, args });
  return { end: await program.exit, output: program.output() };
};

describe('the start of the services as processes', () => {
  test('names each missing server and how to get one', async () => {
    const { end, output } = await run({ KAFKA_BROKERS: servers.KAFKA_BROKERS });
    expect(end.code).toBe(1);
    expect(output).toMatch(/^EVENT_STORE_URL is not set.*\nMONGODB_URL is not set.*\nnpm run servers -- start .*\n$/);
  });

  test('--help prints the settings', async () => {
    const { end, output } = await run({}, ['--help']);
    expect(end.code).toBe(0);
    for (const line of ['REPLICAS', 'NAMESPACE', 'KAFKA_BROKERS', 'PORT', '[3000]']) expect(output).toContain(line);
  });

  test('reports a port that is in use by one line, before anything is started', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'svc-start-'));
    const server = createServer();
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    const { port } = server.address() as AddressInfo;
    const { end, output } = await run({ ...servers, DATA_DIR: folder, PORT: `${port}`, OPS_PORT: '0', SIMULATOR_PORT: '0' });
    expect([end.code, output]).toEqual([1, expect.stringMatching(`^PORT ${port} is taken: PORT=\\d+ npm run start:services\n$`)]);
    server.close();
    rmSync(folder, { recursive: true });
  });

  test('waits for a Kafka that does not answer, until a signal', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'svc-start-'));
    const env = { ...servers, DATA_DIR: folder, PORT: '0', OPS_PORT: '0', SIMULATOR_PORT: '0' };
    const program = startProgram('tools/start-services.mjs', { env });
    while (!program.output().includes('Kafka cannot be used yet')) await new Promise((resolve) => setTimeout(resolve, 50));
    expect((await program.kill('SIGTERM')).code).toBe(0);
    rmSync(folder, { recursive: true });
  });
});
