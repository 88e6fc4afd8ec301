import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { choose, keep } from './choices.mjs';

let folder: string;
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'svc-choices-'))));
afterEach(() => rmSync(folder, { recursive: true }));

const usual = { address: '127.0.0.1', nodes: [{ port: 19092, controllerPort: 19093 }], mongo: 27017, 'event-store': 2113 };

test('chooses the default ports and one broker; three brokers have a pair of ports each', async () => {
  expect(await choose(folder, {})).toEqual(usual);
  expect(await choose(folder, { brokers: 3, ports: { kafka: 9092, mongo: 1 } })).toEqual({
    ...{ address: '127.0.0.1', mongo: 1, 'event-store': 2113 },
    nodes: [9092, 9094, 9096].map((port) => ({ port, controllerPort: port + 1 })),
  });
});

test('stores free ports in the folder', async () => {
  const chosen = await choose(folder, { brokers: 3, ports: { kafka: 0, mongo: 0, 'event-store': 0 } });
  const ports = [...chosen.nodes.flatMap(({ port, controllerPort }) => [port, controllerPort]), chosen.mongo, chosen['event-store']];
  expect(new Set(ports).size).toBe(8);
  keep(folder, chosen, []);
  expect(await choose(folder, {})).toEqual(chosen);
  expect(await choose(folder, { brokers: 3, ports: { mongo: 0 } })).toEqual(chosen);
});

test('where any free port is asked for, one that another process has taken since is replaced, and no other', async () => {
  const any = { kafka: 0, mongo: 0, 'event-store': 0 };
  const chosen = await choose(folder, { brokers: 2, ports: any });
  keep(folder, chosen, []);
  const strangers = await Promise.all([chosen.mongo, chosen.nodes[1]?.controllerPort ?? 0].map(listener));
  const again = await choose(folder, { ports: any });
  expect(again.mongo).not.toBe(chosen.mongo);
  expect(again.nodes[1]).not.toEqual(chosen.nodes[1]);
  expect([again.nodes[0], again['event-store']]).toEqual([chosen.nodes[0], chosen['event-store']]);
  expect((await choose(folder, {})).mongo).toBe(chosen.mongo);
  for (const stranger of strangers) stranger.close();
});

test('a port that is taken at another address than the servers have is kept', async () => {
  const any = { kafka: 0, mongo: 0, 'event-store': 0 };
  const chosen = await choose(folder, { address: '127.0.0.2', ports: any });
  keep(folder, chosen, []);
  const stranger = await listener(chosen.mongo);
  expect(await choose(folder, { ports: any })).toEqual(chosen);
  stranger.close();
});

test('keeps the port of a running server, moves a stopped one, and keeps the number of brokers', async () => {
  keep(folder, usual, []);
  const moved = await choose(folder, { ports: { kafka: 9092 } });
  expect(() => keep(folder, moved, [{ name: 'kafka-1' }])).toThrow('kafka-1 runs on port 19092 already');
  keep(folder, moved, [{ name: 'mongo' }]);
  expect(await choose(folder, {})).toEqual(moved);
  await expect(choose(folder, { brokers: 3 })).rejects.toThrow('1 broker(s) and cannot have 3');
});

test('keeps the address, also for a folder of an earlier release; running servers cannot get another', async () => {
  const { address, ...earlier } = usual;
  writeFileSync(join(folder, 'servers.json'), JSON.stringify(earlier));
  expect(await choose(folder, {})).toEqual({ address, ...earlier });
  const moved = await choose(folder, { address: '127.0.0.2' });
  expect(() => keep(folder, moved, [{ name: 'mongo' }])).toThrow('the servers run at 127.0.0.1');
  keep(folder, moved, []);
  expect(await choose(folder, {})).toEqual({ ...earlier, address: '127.0.0.2' });
});

function listener(port: number) {
  const server = createServer();
  return new Promise<typeof server>((resolve) => server.listen(port, '127.0.0.1', () => resolve(server)));
}
