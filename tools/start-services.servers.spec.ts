import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { forget, freePorts, newNamespace, serversFromEnvironment, startProgram, untilReady, type Program } from '@svc/testkit';

const servers = serversFromEnvironment();
const namespace = newNamespace();
const folder = mkdtempSync(join(tmpdir(), 'svc-services-'));
const setupFile = join(folder, 'setup.json');
const linkFile = join(folder, 'data/sign-in-link.txt');
let firstLink: string;
const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

let env: Record<string, string>;
let program: Program;
const start = async (): Promise<void> => {
  program = startProgram('tools/start-services.mjs', { env });
  await untilReady(`http://127.0.0.1:${env.OPS_PORT}/readyz`, program);
};
/** Process ids of the services whose file path contains the text. */
const children = (of: string): number[] =>
  spawnSync('ps', ['--ppid', String(program.pid), '-o', 'pid=,args='], { encoding: 'utf8' })
    .stdout.split('\n')
    .filter((line) => line.includes(of))
    .map((line) => Number.parseInt(line, 10));
const until = async (holds: () => boolean): Promise<void> => {
  for (let n = 0; n < 600 && !holds(); n += 1) await sleep(100);
  if (!holds()) throw new Error(`it never came to that:\n${program.output()}`);
};
const isGone = (pid: number): boolean => !spawnSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' }).stdout.match(/^[^Z]/);

beforeAll(async () => {
  env = { ...servers.env, ...(await freePorts()), NAMESPACE: namespace, DATA_DIR: join(folder, 'data'), SETUP_FILE: setupFile };
  await start();
});
afterAll(async () => {
  await program.kill('SIGKILL');
  rmSync(folder, { recursive: true });
  await forget({ ...servers, namespace });
});

describe('the services as processes', () => {
  test('the first start names the file of its keys, and stores them and its secrets readable by the owner only', async () => {
    await until(() => program.output().includes('"msg":"ready"'));
    const setup = JSON.parse(readFileSync(setupFile, 'utf8'));
    expect(program.output()).toContain(`"first_keys":"${setupFile}"`);
    expect(program.output()).not.toContain(setup.test_key);
    firstLink = setup.sign_in_url;
    expect(readFileSync(linkFile, 'utf8')).toBe(`${firstLink}\n`);
    for (const path of [setupFile, join(folder, 'data/secrets.json')]) expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  test('a second start on the same folder fails', async () => {
    const second = startProgram('tools/start-services.mjs', { env: { ...env, ...(await freePorts()) } });
    expect((await second.exit).code).toBe(1);
    expect(second.output()).toContain('another process uses the data folder');
  });

  test('a service that ends by itself is reported and started again', async () => {
    const [pid] = children('reporting');
    process.kill(pid as number, 'SIGKILL');
    await until(() => children('reporting').some((other) => other !== pid));
    expect(program.output()).toContain('reporting-1 ended with SIGKILL; it is started again in 1 s');
  });

  test('kill -9 of the group leaves no process behind; the next start has the data, names no keys, and shows the owner’s link again', async () => {
    const all = children('services/');
    expect(all).toHaveLength(6);
    await program.kill('SIGKILL');
    for (let n = 0; n < 300 && !all.every(isGone); n += 1) await sleep(100);
    expect(all.filter((pid) => !isGone(pid))).toEqual([]);
    await start();
    await until(() => program.output().includes('"msg":"ready"'));
    expect(program.output()).not.toContain('first_keys');
    const { test_key, sign_in_url } = JSON.parse(readFileSync(setupFile, 'utf8'));
    expect(sign_in_url).not.toBe(firstLink);
    expect(program.output()).toContain(`the link in ${linkFile}`);
    expect([readFileSync(linkFile, 'utf8'), statSync(linkFile).mode & 0o777]).toEqual([`${sign_in_url}\n`, 0o600]);
    const answer = await fetch(`http://127.0.0.1:${env.PORT}/v1/account`, {
      headers: { authorization: `Bearer ${test_key}`, connection: 'close' },
    });
    expect(answer.status).toBe(200);
  });

  test('SIGTERM to the group stops the gateway first, then the others, each gracefully', async () => {
    const { code } = await program.kill('SIGTERM');
    const said = program.output();
    const at = (service: string, what: string): number => said.search(new RegExp(`^\\{"process":"${service}-1",.*"msg":"${what}"`, 'm'));
    const behind = ['invoicing', 'fiscal-submission', 'webhooks-dispatcher', 'reporting'];
    expect(behind.filter((service) => at(service, 'stopping') < at('gateway', 'stopped'))).toEqual([]);
    expect([...behind, 'gateway', 'authority-simulator'].filter((service) => at(service, 'stopped') < 0)).toEqual([]);
    expect(code).toBe(0);
  });
});
