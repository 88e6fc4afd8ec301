import { once } from 'node:events';
import { BSON } from 'mongodb';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A connection to the server that can be broken. */
export interface FaultyConnection {
  url: string;
  /** From now on every connection breaks after so many requests, which are passed on without a reply. 0: none breaks. */
  breakBehind(requests: number): void;
  /** From now on replies to requests that contain this word are delayed by so many milliseconds. */
  answerLate(word: string, ms: number): void;
  /** From now on requests that contain this word are rejected with this code and not passed on; undefined: none is. */
  refuse(word: string | undefined, code?: number): void;
  /** From now on nothing is passed on in either direction, and no connection is closed; false: everything continues. */
  stall(now: boolean): void;
  /** The names of the commands that were passed on, in order, including the driver's own monitoring. */
  commands: string[];
  /** Bytes that the server has sent so far. */
  received(): number;
  close(): Promise<void>;
}

/** A proxy between the adapter and the server at `url`. */
export async function faultyConnection(url: string): Promise<FaultyConnection> {
  const { hostname, port } = new URL(url);
  const sockets = new Set<Socket>();
  const commands: string[] = [];
  let received = 0;
  let most = 0;
  let isStalled = false;
  let refused: { word: string; code: number } | undefined;
  let late: { word: string; ms: number } | undefined;

  const server = createServer((client) => {
    const upstream = connect(Number(port), hostname);
    let requests = 0;
    let isBroken = false;
    let delay = 0;
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(from);
      if (isStalled) from.pause();
      from.on('error', () => undefined);
      from.on('close', () => {
        sockets.delete(from);
        if (!isBroken) to.destroy();
      });
    }
    client.on('data', (data) => {
      if (refused && data.includes(refused.word)) return void client.write(refusalOf(data, refused.code));
      upstream.write(data);
      commands.push(commandOf(data));
      requests += 1;
      delay = late && data.includes(late.word) ? late.ms : 0;
      if (most === 0 || requests <= most) return;
      isBroken = true;
      upstream.once('data', () => upstream.destroy()); // the server has done it by then
      client.destroy();
    });
    upstream.on('data', (data) => {
      received += data.length;
      if (isBroken) return;
      if (delay > 0) setTimeout(() => client.write(data), delay);
      else client.write(data);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');

  return {
    url: `mongodb://127.0.0.1:${(server.address() as AddressInfo).port}/?directConnection=true`,
    breakBehind: (requests) => (most = requests),
    answerLate: (word, ms) => (late = { word, ms }),
    refuse: (word, code = 0) => (refused = word === undefined ? undefined : { word, code }),
    stall(now) {
      isStalled = now;
      for (const socket of sockets)
        if (now) socket.pause();
        else socket.resume();
    },
    commands,
    received: () => received,
    async close() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

/** The name of the first field of an OP_MSG's document. */
const commandOf = (request: Buffer): string => request.toString('utf8', 26, request.indexOf(0, 26));

/** A server's reply to a command for which a right is missing; an OP_MSG, as the command was. */
function refusalOf(request: Buffer, code: number): Buffer {
  const body = BSON.serialize({ ok: 0, code, codeName: code === 13 ? 'Unauthorized' : 'AuthenticationFailed', errmsg: 'refused' });
  const head = Buffer.alloc(21);
  head.writeInt32LE(head.length + body.length, 0);
  head.writeInt32LE(request.readInt32LE(4), 8);
  head.writeInt32LE(2013, 12);
  return Buffer.concat([head, body]);
}
