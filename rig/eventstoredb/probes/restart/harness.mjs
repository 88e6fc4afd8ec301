// Shared by the phases: the server under test, facts and notes.
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import { EventStoreDBClient, jsonEvent } from '@eventstore/db-client';

export const sleep = (ms) => new Promise((r) => setTimeout(r, ms));
export const ev = (type, data = {}, extra = {}) => jsonEvent({ type, data, ...extra });
export const kind = (e) => `${e?.constructor?.name}/${e?.type ?? '-'}/${e?.code ?? '-'}`;
export const drain = async (it, map = (x) => x) => {
  const o = [];
  for await (const x of it) o.push(map(x));
  return o;
};
export const unhandled = [];
process.on('unhandledRejection', (e) => unhandled.push(kind(e)));
process.on('uncaughtException', (e) => unhandled.push(`uncaught ${kind(e)} ${e?.message}`));

const args = process.argv.slice(2);
export let phases = 'abcdefhijk';
export let tries = 20;
while (args[0]?.startsWith('--')) {
  const k = args.shift();
  const v = args.shift();
  if (k === '--phases') phases = v;
  if (k === '--tries') tries = +v;
}
const [dbRoot, port, ...command] = args;
export const cs = `esdb://127.0.0.1:${port}?tls=false`;
export const facts = {};
export const note = (o) => console.error(JSON.stringify(o));
export const fact = (name, v) => {
  facts[name] = JSON.parse(JSON.stringify(v, (_, x) => (typeof x === 'bigint' ? `${x}n` : x)));
  note({ fact: name, value: facts[name] });
};
export const client = () => EventStoreDBClient.connectionString(cs);

class Server {
  constructor(db) {
    this.db = db;
    fs.mkdirSync(db, { recursive: true });
  }
  async start() {
    const t = Date.now();
    const cmd = command.map((x) => x.replaceAll('{db}', this.db));
    this.p = spawn(cmd[0], cmd.slice(1), { stdio: ['ignore', fs.openSync(`${this.db}.log`, 'a'), fs.openSync(`${this.db}.log`, 'a')] });
    this.exited = new Promise((r) => this.p.on('exit', (code, sig) => r({ code, sig })));
    let gone = false;
    this.exited.then(() => {
      gone = true;
    });
    // the readiness check uses the unary-response Append (credentials given): a second client with a BatchAppend stream would disturb the first, see phase k
    for (;;) {
      const c = client();
      let ok = false;
      try {
        await c.appendToStream('ready', ev('ready'), { deadline: 3000, credentials: { username: 'admin', password: 'changeit' } });
        ok = true;
      } catch {
        await sleep(50);
      }
      await c.dispose().catch(() => {});
      if (gone) throw new Error(`the server ended while starting, see ${this.db}.log`);
      if (ok) break;
      if (Date.now() - t > 60000) throw new Error('server does not get ready');
    }
    return Date.now() - t;
  }
  async stop(sig) {
    const t = Date.now();
    this.p.kill(sig);
    const e = await this.exited;
    return { ms: Date.now() - t, ...e };
  }
}
export const fresh = (name) => {
  const d = `${dbRoot}/${name}-${randomUUID().slice(0, 6)}`;
  return new Server(d);
};
export const bounded = (p, ms) =>
  Promise.race([
    p,
    sleep(ms).then(() => {
      throw Object.assign(new Error(`nothing in ${ms} ms`), { type: 'HANGS' });
    }),
  ]);
