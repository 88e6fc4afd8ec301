import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { MongoClient } from 'mongodb';

const LONG = 240_000;
const command = join(import.meta.dirname, 'servers.mjs');
const dir = mkdtempSync(join(tmpdir(), 'svc-servers-command-'));

async function run(...args: string[]): Promise<{ code: number | null; out: string; err: string }> {
  const child = spawn(process.execPath, [command, ...args, '--dir', dir], { stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  const [out, err, code] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  return { code, out, err };
}

afterAll(async () => {
  await run('wipe');
  rmSync(dir, { recursive: true, force: true });
}, LONG);

test(
  'prints only the addresses at a start and again at a second one, prints the status, and stops',
  async () => {
    const started = await run('start', '--ports', 'kafka=0,mongo=0,event-store=0');
    expect(started.code).toBe(0);
    const lines = started.out.trimEnd().split('\n');
    expect(lines.map((line) => line.split('=')[0])).toEqual(['KAFKA_BROKERS', 'MONGODB_URL', 'EVENT_STORE_URL']);
    const url = lines[1]?.slice('MONGODB_URL='.length) ?? '';
    await MongoClient.connect(url).then((client) => client.close());
    expect(await run('start')).toMatchObject({ code: 0, out: started.out });

    const status = await run('status');
    expect(status.code).toBe(0);
    expect(status.out).toMatch(/^kafka-1 +answers .*\nmongo +answers .*\nevent-store +answers /);

    await run('kill', '--only', 'mongo');
    expect(await run('status')).toMatchObject({ code: 1, out: expect.stringMatching(/mongo +stopped/) });
    await run('pause', '--only', 'kafka');
    expect(await run('status')).toMatchObject({ code: 1, out: expect.stringMatching(/kafka-1 +paused/) });

    expect(await run('stop')).toMatchObject({ code: 0 });
    expect((await run('status')).out.match(/stopped/g)).toHaveLength(3);
  },
  LONG,
);

test(
  'refuses invalid options',
  async () => {
    expect(await run('start', '--brokers', '3')).toMatchObject({ code: 1, err: expect.stringContaining('has 1 broker') });
    expect(await run('start', '--brokers', '2')).toMatchObject({ code: 1, err: expect.stringContaining('--brokers is 1 or 3') });
    expect(await run('start', '--only', 'postgres')).toMatchObject({ code: 1, err: expect.stringContaining('no such server: postgres') });
    expect(await run('begin')).toMatchObject({ code: 1, err: expect.stringContaining('no such command: begin') });
  },
  LONG,
);
