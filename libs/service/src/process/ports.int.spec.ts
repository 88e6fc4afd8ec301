import { createServer, type AddressInfo, type Server } from 'node:net';
import { freePort } from '@svc/kernel/testing/free-port';
import { checkPorts } from './ports.ts';

const host = '127.0.0.1';
const servers: Server[] = [];
afterAll(() => servers.forEach((server) => server.close()));

async function taken(): Promise<number> {
  const server = createServer();
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  return (server.address() as AddressInfo).port;
}
const check = (port: number, ops: number, at = host) =>
  checkPorts(
    [
      { name: 'PORT', port, host: at },
      { name: 'OPS_PORT', port: ops, host: at },
    ],
    'npm start',
  );

test('free ports are taken as they are', async () => {
  await expect(check(await freePort(), 0)).resolves.toBeUndefined();
});

test('that are taken are named, with free alternatives', async () => {
  const [port, ops] = [await taken(), await taken()];
  const error = await check(port, ops).then(String, ({ message }: Error) => message);
  expect(error).toMatch(new RegExp(`^PORT ${port} and OPS_PORT ${ops} are taken: PORT=\\d+ OPS_PORT=\\d+ npm start$`));
  const [, free, freeOps] = /PORT=(\d+) OPS_PORT=(\d+)/.exec(error) ?? [];
  expect(new Set([free, freeOps, `${port}`, `${ops}`]).size).toBe(4);
});

test('that are equal are reported', async () => {
  const port = await freePort();
  await expect(check(port, port)).rejects.toThrow(/^PORT and OPS_PORT are both \d+: OPS_PORT=\d+ npm start$/);
});

test('of a foreign address are reported', async () => {
  await expect(check(await freePort(), 0, '192.0.2.1')).rejects.toThrow('HOST 192.0.2.1 is no address of this machine');
});
