import { createSocket, type Socket } from 'node:dgram';
import type { AddressInfo } from 'node:net';
import { systemClock } from '@svc/kernel';
import { until } from '@svc/kernel/testing/until';
import { dnsLookup, sharedResolve } from './resolve.ts';

const A = 1;
const AAAA = 28;

/** The name and record type of a DNS query. */
function questionOf(query: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = [];
  let at = 12;
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += length + 1;
  }
  return { name: labels.join('.'), type: query.readUInt16BE(at + 1), end: at + 5 };
}

/** A DNS response with these addresses (bytes each); NXDOMAIN without any. */
function answerTo(query: Buffer, type: number, end: number, addresses: number[][]): Buffer {
  const head = Buffer.from(query.subarray(0, end));
  head.writeUInt16BE(addresses.length > 0 ? 0x8180 : 0x8183, 2);
  head.writeUInt16BE(addresses.length, 6);
  head.fill(0, 8, 12);
  const records = addresses.map((bytes) => Buffer.from([0xc0, 12, 0, type, 0, 1, 0, 0, 0, 60, 0, bytes.length, ...bytes]));
  return Buffer.concat([head, ...records]);
}

describe('lookups at a name server', () => {
  let socket: Socket;
  let servers: string[];
  const hanging = new Set<string>();

  beforeAll(async () => {
    socket = createSocket('udp4');
    socket.on('message', (query, { port, address }) => {
      const { name, type, end } = questionOf(query);
      const known: Record<string, number[][]> = {
        [`quick.example ${A}`]: [[93, 184, 216, 34]],
        [`six.example ${AAAA}`]: [[0x20, 1, 5, 0, ...Array<number>(11).fill(0), 1]],
        [`both.example ${A}`]: [[10, 0, 0, 8]],
        [`both.example ${AAAA}`]: [[0x20, 1, 5, 0, ...Array<number>(11).fill(0), 1]],
      };
      if (name.startsWith('hangs')) return void hanging.add(name);
      socket.send(answerTo(query, type, end, known[`${name} ${type}`] ?? []), port, address);
    });
    await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
    servers = [`127.0.0.1:${(socket.address() as AddressInfo).port}`];
  });
  afterAll(() => socket.close());

  test.each([
    ['quick.example', ['93.184.216.34']],
    ['six.example', ['2001:500::1']],
    ['both.example', ['10.0.0.8', '2001:500::1']],
  ])('%s has all its addresses, IPv4 first', async (name, addresses) => {
    expect(await dnsLookup(servers)(name, new AbortController().signal)).toEqual(addresses);
  });

  test('rejects for a name that does not exist', async () => {
    await expect(dnsLookup(servers)('nobody.example', new AbortController().signal)).rejects.toMatchObject({ code: 'ENOTFOUND' });
  });

  test('resolves another name while 64 names do not answer, and cancels those', async () => {
    const stop = new AbortController();
    const lookup = dnsLookup(servers);
    const names = Array.from({ length: 64 }, (_, n) => `hangs${n}.example`);
    const hung = Promise.allSettled(names.map((name) => lookup(name, stop.signal)));
    await until(() => hanging.size >= names.length);
    const resolve = sharedResolve(lookup, systemClock);
    expect(await resolve('quick.example', 2_000)).toEqual(['93.184.216.34']);
    stop.abort();
    expect(new Set((await hung).map((one) => one.status === 'rejected' && (one.reason as { code: string }).code))).toEqual(
      new Set(['ECANCELLED']),
    );
  });
});
