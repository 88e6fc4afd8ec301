import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually, freePorts, runProgram, startProgram } from '@svc/testkit';

const STANDALONE = 'services/standalone/dist/start.mjs';
const folder = mkdtempSync(join(tmpdir(), 'svc-start-errors-'));
const servers: Server[] = [];
afterAll(() => {
  for (const server of servers) server.close();
  rmSync(folder, { recursive: true, force: true });
});

async function listening<S extends Server>(server: S): Promise<number> {
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}
let folders = 0;
/** Free ports and a folder that does not exist. */
const good = async (): Promise<Record<string, string>> => ({ ...(await freePorts()), DATA_DIR: join(folder, `data-${(folders += 1)}`) });
/** Starts with these settings and returns the only output, without a stack. */
async function refused(env: Record<string, string>): Promise<string> {
  const { code, output } = await runProgram({ env });
  expect([code, output]).toEqual([1, expect.not.stringMatching(/^\s+at /m)]);
  return output;
}

describe('ports', () => {
  test('that are taken are named, with free alternatives', async () => {
    const [port, ops] = [await listening(createServer()), await listening(createServer())];
    const env = { ...(await good()), PORT: `${port}`, OPS_PORT: `${ops}` };
    const said = await refused(env);
    expect(said).toMatch(new RegExp(`^PORT ${port} and OPS_PORT ${ops} are taken: PORT=\\d+ OPS_PORT=\\d+ npm start\n$`));
    const [, free, freeOps] = /PORT=(\d+) OPS_PORT=(\d+)/.exec(said) ?? [];
    expect(new Set([free, freeOps, `${port}`, `${ops}`]).size).toBe(4);
  });
});

describe('the data folder', () => {
  test('is a file', async () => {
    const file = join(folder, 'file');
    writeFileSync(file, '');
    expect(await refused({ ...(await good()), DATA_DIR: file })).toBe(
      `DATA_DIR ${file} cannot be a folder: ${file} is a file. Move it, or choose another DATA_DIR\n`,
    );
  });

  test('is on a filesystem that does not respond', async () => {
    // Opening a pipe without a reader blocks, as creating the folder would.
    const pipe = join(folder, 'pipe');
    execFileSync('mkfifo', [pipe]);
    const hang = join(folder, 'hang.mjs');
    writeFileSync(
      hang,
      `import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
const { open } = fs.promises;
fs.promises.mkdir = () => open(${JSON.stringify(pipe)}, 'w');
syncBuiltinESMExports();`,
    );
    const program = startProgram(STANDALONE, { env: { ...(await good()), NODE_OPTIONS: `--import ${hang}` } });
    const tooLong = setTimeout(() => void program.kill(), 60_000);
    await program.exit;
    clearTimeout(tooLong);
    expect(program.output()).toMatch(/^DATA_DIR \S+ does not answer: is it on a filesystem that is away/);
  });
});

describe('the URL of a server', () => {
  test('names a file of TLS that is not there', async () => {
    const url = 'esdb://127.0.0.1:1?tls=true&tlsCAFile=/nowhere/ca.pem';
    expect(await refused({ ...(await good()), EVENT_STORE_URL: url })).toBe(
      'EVENT_STORE_URL is (hidden); it must be a URL whose files can be read: tlsCAFile /nowhere/ca.pem (is not there)\n',
    );
  });

  test('has an option that MongoDB’s client rejects, which is named without a stack', async () => {
    expect(await refused({ ...(await good()), MONGODB_URL: 'mongodb://u:hunter2@127.0.0.1:1/?bogus=1' })).toMatch(/^MONGODB_URL: .*bogus/);
  });
});

/** `wait-for.int.spec.ts` has the other causes. */
test.each([
  ['eventstoredb', 'EVENT_STORE_URL', 'esdb://u:hunter2@127.0.0.1:1?tls=false'],
  ['mongodb', 'MONGODB_URL', 'mongodb://127.0.0.1:1/'],
  ['kafka', 'KAFKA_BROKERS', '127.0.0.1:1'],
])('a start that waits for %s logs the real cause', async (server, name, url) => {
  const cause = `"server":"${server}","why":"connection refused: nobody listens on 127.0.0.1:1 (${name})"`;
  const program = startProgram(STANDALONE, { env: { ...(await good()), [name]: url } });
  try {
    await eventually(() => {
      if (program.ended()) throw new Error(program.output());
      return program.output().includes(cause);
    }, `${cause} in: ${program.output()}`);
  } finally {
    await program.kill();
  }
  expect(program.output()).not.toMatch(/hunter2|Repeat the request/);
});
