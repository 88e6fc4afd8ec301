import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { client, type NamespacedServers, topicsOf, withKafka } from '@svc/testkit';
import { nationalAuthorities } from '../../authorities/testing/shop.ts';

const PRELOADED = new URL('preloaded-clock.ts', import.meta.url).href;
/** Processes look this often, and the event loop of each may be busy. */
const SEEN_MS = 500;

/** When a service's clock was ahead of its authorities', by how many milliseconds. Times are the authorities', in milliseconds since 1970. */
interface Wrong {
  from: number;
  to: number;
  by: number;
}

/** The clock of one service's processes, and those of its authorities, which go on together. Other services keep the machine's. */
export class SetClocks {
  private readonly wrong: Wrong[] = [];
  private readonly folder = mkdtempSync(join(tmpdir(), 'clocks-'));
  private readonly file = join(this.folder, 'ahead');
  private passed = 0;

  constructor(private readonly service: string) {
    this.write(0);
  }

  /** As `startProcesses` takes it. */
  readonly envOf = (service: string): Record<string, string> =>
    service === this.service ? { NODE_OPTIONS: `--import=${PRELOADED}`, CLOCK_FILE: this.file } : {};

  now(): number {
    return Date.now() + this.passed;
  }

  /** Both go on at once; what is on its way has the time before. */
  async pass(ms: number, simulator: string): Promise<void> {
    this.passed += ms;
    this.wrong.push({ from: this.now() - SEEN_MS, to: this.now() + 2 * SEEN_MS, by: -ms });
    for (const authority of nationalAuthorities)
      await client(simulator)('POST', '/clock', { body: { authority, ahead: this.passed / 1_000 } });
    this.write(this.passed);
    await sleep(SEEN_MS);
  }

  /** The service's clock is ahead, or behind, for a time. */
  async setWrong(by: number, forMs: number): Promise<void> {
    const from = this.now() - SEEN_MS;
    this.write(this.passed + by);
    await sleep(forMs);
    this.write(this.passed);
    await sleep(SEEN_MS);
    this.wrong.push({ from, to: this.now(), by });
  }

  /** By how much the service's clock may have been ahead at a time, at most. */
  wrongAt(at: number): number {
    return this.wrong.findLast(({ from, to }) => at >= from && at <= to)?.by ?? 0;
  }

  remove(): void {
    rmSync(this.folder, { recursive: true });
  }

  private write(ahead: number): void {
    writeFileSync(`${this.file}.new`, String(ahead));
    renameSync(`${this.file}.new`, this.file);
  }
}

const TOPIC = 2;

/** Kafka refuses what is an hour ahead of its own clock. */
export const allowTimesAhead = (servers: NamespacedServers): Promise<unknown> =>
  withKafka(servers, async (admin) => {
    const configEntries = [{ name: 'message.timestamp.after.max.ms', value: '9223372036854775807' }];
    const resources = (await topicsOf(admin, servers)).map((name) => ({ type: TOPIC, name, configEntries }));
    return admin.alterConfigs({ validateOnly: false, resources });
  });

export const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
