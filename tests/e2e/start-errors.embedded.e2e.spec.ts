import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServer as createTlsServer } from 'node:tls';
import { eventually, freePorts, root, runProgram, startProgram } from '@svc/testkit';

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

  test('that are equal are reported', async () => {
    const env = await good();
    expect(await refused({ ...env, OPS_PORT: env['PORT'] ?? '' })).toMatch(/^PORT and OPS_PORT are both \d+: OPS_PORT=\d+ npm start\n$/);
  });

  test('of a foreign address are reported', async () => {
    expect(await refused({ ...(await good()), HOST: '192.0.2.1' })).toBe('HOST 192.0.2.1 is no address of this machine\n');
  });
});

describe('the data folder', () => {
  test('is a file, or below one', async () => {
    const file = join(folder, 'file');
    writeFileSync(file, '');
    for (const path of [file, join(file, 'data')])
      expect(await refused({ ...(await good()), DATA_DIR: path })).toBe(
        `DATA_DIR ${path} cannot be a folder: ${file} is a file. Move it, or choose another DATA_DIR\n`,
      );
  });

  test('cannot be written to', async () => {
    // No user can create a folder there, not even root.
    expect(await refused({ ...(await good()), DATA_DIR: '/sys/svc' })).toMatch(/^DATA_DIR \/sys\/svc cannot be written to by this user /);
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

describe('a file of TLS that a URL names', () => {
  test.each([
    ['EVENT_STORE_URL', 'esdb://127.0.0.1:1?tls=true&tlsCAFile='],
    ['MONGODB_URL', 'mongodb://127.0.0.1:1/?tls=true&tlsCAFile='],
  ])('%s', async (name, url) => {
    const none = join(folder, 'no PEM');
    writeFileSync(none, 'x');
    expect(await refused({ ...(await good()), [name]: `${url}/nowhere/ca.pem` })).toMatch(
      new RegExp(`^${name} is \\(hidden\\); it must be a URL whose files can be read: tlsCAFile /nowhere/ca.pem \\(is not there\\)\n$`),
    );
    expect(await refused({ ...(await good()), [name]: url + encodeURIComponent(none) })).toContain('is no PEM file');
  });

  test('an option that MongoDB’s client rejects is named without a stack', async () => {
    expect(await refused({ ...(await good()), MONGODB_URL: 'mongodb://u:hunter2@127.0.0.1:1/?bogus=1' })).toMatch(/^MONGODB_URL: .*bogus/);
  });
});

describe('a start that waits for a server logs the real cause', () => {
  const pfx = readFileSync(join(root, 'tests/fixtures/test-only.p12'));
  /** Starts with these settings and waits until the cause is logged. */
  async function waitsWith(env: Record<string, string>, cause: RegExp): Promise<void> {
    const program = startProgram(STANDALONE, { env: { ...(await good()), ...env } });
    try {
      await eventually(() => {
        if (program.ended()) throw new Error(program.output());
        return cause.test(program.output());
      }, `${cause} in: ${program.output()}`);
    } finally {
      await program.kill();
    }
    expect(program.output()).not.toMatch(/hunter2|Repeat the request/);
  }
  let [plain, secure] = [0, 0];
  beforeAll(async () => {
    // A server of another protocol closes a connection that it does not understand.
    plain = await listening(createServer((socket) => socket.on('error', () => undefined).once('data', () => socket.destroy())));
    secure = await listening(createTlsServer({ pfx, passphrase: 'test-only' }).on('tlsClientError', () => undefined));
  });

  test('nobody listens', async () => {
    await waitsWith(
      { EVENT_STORE_URL: 'esdb://u:hunter2@127.0.0.1:1?tls=false' },
      /"server":"eventstoredb","why":"connection refused: nobody listens on 127.0.0.1:1 \(EVENT_STORE_URL\)"/,
    );
    await waitsWith(
      { MONGODB_URL: 'mongodb://127.0.0.1:1/' },
      /"server":"mongodb","why":"connection refused: nobody listens on 127.0.0.1:1 \(MONGODB_URL\)"/,
    );
    await waitsWith(
      { KAFKA_BROKERS: '127.0.0.1:1' },
      /"server":"kafka","why":"connection refused: nobody listens on 127.0.0.1:1 \(KAFKA_BROKERS\)"/,
    );
  });

  test('its name is not known', async () => {
    await waitsWith({ EVENT_STORE_URL: 'esdb://nowhere.invalid:2113?tls=true' }, /"why":"the name nowhere.invalid is not known/);
  });

  test('its certificate is not trusted', async () => {
    await waitsWith(
      { EVENT_STORE_URL: `esdb://127.0.0.1:${secure}` },
      /the certificate of 127.0.0.1:\d+ is not trusted \(\w+\): name its CA in EVENT_STORE_URL by tlsCAFile/,
    );
  });

  test('it expects TLS and is called in plain text', async () => {
    await waitsWith(
      { EVENT_STORE_URL: `esdb://127.0.0.1:${secure}?tls=false` },
      /127.0.0.1:\d+ speaks TLS, and EVENT_STORE_URL asks for plain text/,
    );
    await waitsWith({ KAFKA_BROKERS: `127.0.0.1:${secure}` }, /127.0.0.1:\d+ speaks TLS, and KAFKA_BROKERS asks for plain text/);
  });

  test('it expects plain text and is called with TLS', async () => {
    await waitsWith(
      { EVENT_STORE_URL: `esdb://127.0.0.1:${plain}?tls=true` },
      /127.0.0.1:\d+ does not speak TLS, and EVENT_STORE_URL asks for it/,
    );
    await waitsWith(
      { MONGODB_URL: `mongodb://127.0.0.1:${plain}/?tls=true` },
      /127.0.0.1:\d+ does not speak TLS, and MONGODB_URL asks for it/,
    );
  });
});
