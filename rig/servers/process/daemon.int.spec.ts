import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { daemonIn } from './daemon.mjs';
import { freePorts, holderOf, isFree } from './ports.mjs';
import { isPaused, startedAt } from './proc.mjs';
import { within } from './wait.mjs';

const folder = mkdtempSync(join(tmpdir(), 'svc-daemon-'));
afterEach(() => daemonIn(folder).kill9());
afterAll(() => rmSync(folder, { recursive: true }));

test('is found by its folder, paused, resumed, and stopped while it is paused', async () => {
  await daemonIn(folder).launch('sleep', ['1000']);
  const found = daemonIn(folder);
  const pid = Number(found.pid());
  expect(pid).toBeGreaterThan(0);
  found.signal('SIGSTOP');
  expect(await within(5000, () => isPaused(pid))).toBe(true);
  found.signal('SIGCONT');
  expect(await within(5000, () => !isPaused(pid))).toBe(true);
  found.signal('SIGSTOP');
  await found.stop();
  expect(found.pid()).toBeUndefined();
  expect(startedAt(pid)).toBeUndefined();
});

test('never signals another process with a reused pid', async () => {
  const daemon = daemonIn(folder);
  await daemon.launch('sleep', ['1000']);
  const file = join(folder, 'pid');
  const [first, started] = readFileSync(file, 'utf8').split(' ');
  await sleep(50); // Start times have a resolution of 10 ms.
  const other = spawn('sleep', ['1000']);
  writeFileSync(file, `${other.pid} ${started}`);
  expect(daemon.pid()).toBeUndefined();
  expect(daemon.signal('SIGKILL')).toBe(false);
  await daemon.stop();
  expect(other.exitCode ?? other.signalCode).toBeNull();
  other.kill();
  process.kill(Number(first));
});

test('does not count a process that ended at once as running', async () => {
  const daemon = daemonIn(folder);
  await daemon.launch('true', []);
  while (daemon.pid() !== undefined) await sleep(5);
});

test('names the process that holds a port', async () => {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  expect(await isFree(port)).toBe(false);
  expect(holderOf(port)).toContain(`pid ${process.pid}`);
  server.close();
  const ports = await freePorts(5);
  expect(new Set(ports).size).toBe(5);
  expect(await Promise.all(ports.map((one) => isFree(one)))).toEqual([true, true, true, true, true]);
});
