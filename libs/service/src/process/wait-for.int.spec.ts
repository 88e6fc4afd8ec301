import { readFileSync } from 'node:fs';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { systemClock } from '@svc/kernel';
import type { Logger } from '../index.ts';
import type { ServerSettings } from './server-address.ts';
import { waitFor } from './wait-for.ts';

const pfx = readFileSync(new URL('../../../../tests/fixtures/test-only.p12', import.meta.url));
const CLIENT = 'what the client library says';

const servers: Server[] = [];
let [plain, secure] = [0, 0];
async function listening(server: Server): Promise<number> {
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}
beforeAll(async () => {
  // A server of another protocol closes a connection that it does not understand.
  plain = await listening(createServer((socket) => socket.on('error', () => undefined).once('data', () => socket.destroy())));
  secure = await listening(createTlsServer({ pfx, passphrase: 'test-only' }).on('tlsClientError', () => undefined));
});
afterAll(() => servers.forEach((server) => server.close()));

/** What is logged of a server that does not answer. */
async function causeOf(server: string, settings: ServerSettings): Promise<string> {
  const ending = new AbortController();
  const logged: string[] = [];
  const warn = ({ why }: { why: string }): void => {
    logged.push(why);
    ending.abort();
  };
  const logger = { warn } as unknown as Logger;
  await waitFor(server, async () => CLIENT, { clock: systemClock, logger, stopped: ending.signal, settings });
  return logged.join();
}

const eventStore = (url: string) => causeOf('eventstoredb', { EVENT_STORE_URL: url });
const mongo = (url: string) => causeOf('mongodb', { MONGODB_URL: url });
const kafka = (port: number, tls: boolean) => causeOf('kafka', { KAFKA_BROKERS: [`127.0.0.1:${port}`], KAFKA_TLS: tls });

test('nobody listens, with its setting and without its password', async () => {
  const at = 'connection refused: nobody listens on 127.0.0.1:1';
  expect(await eventStore('esdb://u:hunter2@127.0.0.1:1?tls=false')).toBe(`${at} (EVENT_STORE_URL)`);
  expect(await mongo('mongodb://u:hunter2@127.0.0.1:1/')).toBe(`${at} (MONGODB_URL)`);
  expect(await kafka(1, false)).toBe(`${at} (KAFKA_BROKERS)`);
});

test('its name is not known', async () => {
  expect(await eventStore('esdb://nowhere.invalid:2113?tls=true')).toMatch(/^the name nowhere.invalid is not known/);
});

test('its certificate is not trusted', async () => {
  const untrusted = /^the certificate of 127.0.0.1:\d+ is not trusted \(\w+\): name its CA in (EVENT_STORE|MONGODB)_URL by tlsCAFile$/;
  expect(await eventStore(`esdb://127.0.0.1:${secure}`)).toMatch(untrusted);
  expect(await mongo(`mongodb://127.0.0.1:${secure}/?tls=true`)).toMatch(untrusted);
});

test('it expects TLS and is called in plain text', async () => {
  const at = `127.0.0.1:${secure} speaks TLS`;
  expect(await eventStore(`esdb://127.0.0.1:${secure}?tls=false`)).toContain(`${at}, and EVENT_STORE_URL asks for plain text`);
  expect(await mongo(`mongodb://127.0.0.1:${secure}/`)).toContain(`${at}, and MONGODB_URL asks for plain text`);
  expect(await kafka(secure, false)).toContain(`${at}, and KAFKA_BROKERS asks for plain text`);
});

test('it expects plain text and is called with TLS', async () => {
  const at = `127.0.0.1:${plain} does not speak TLS`;
  expect(await eventStore(`esdb://127.0.0.1:${plain}?tls=true`)).toContain(`${at}, and EVENT_STORE_URL asks for it`);
  expect(await mongo(`mongodb://127.0.0.1:${plain}/?tls=true`)).toContain(`${at}, and MONGODB_URL asks for it`);
  expect(await kafka(plain, true)).toContain(`${at}, and KAFKA_BROKERS asks for it`);
});

test('what its client says, where a connection shows nothing', async () => {
  expect(await eventStore(`esdb://127.0.0.1:${plain}?tls=false`)).toBe(CLIENT);
  expect(await mongo('mongodb+srv://shop.example/')).toBe(CLIENT);
});
