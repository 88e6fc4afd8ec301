import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { topics, type PublicEvent } from '@svc/contracts/events/envelope';
import { systemClock } from '@svc/kernel';
import { until } from '@svc/kernel/testing/until';
import { consumer, invoiceEvent } from '../event-bus.suite.ts';
import { KafkaFixture, ROOT } from '../testing/kafka-fixture.ts';

const run = promisify(execFile);
const LONG = 300_000;
const SUBJECTS = Array.from({ length: 20 }, (_, n) => `inv_${n}`);

describe('Kafka becomes unavailable and returns', () => {
  let dir: string;
  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), 'kafka-outage-'));
  });
  afterEach(async () => {
    await kafka('wipe');
    rmSync(dir, { recursive: true });
  }, LONG);

  /** A broker of this test; `start` returns its address. */
  const kafka = async (command: 'start' | 'kill' | 'pause' | 'resume' | 'wipe'): Promise<string> => {
    const options = ['--dir', dir, '--only', 'kafka', '--ports', 'kafka=0'];
    const { stdout } = await run(process.execPath, [join(ROOT, 'rig/servers/servers.mjs'), command, ...options]);
    return stdout.replace('KAFKA_BROKERS=', '').trim();
  };

  test.each(['stands still', 'is killed'] as const)(
    'while it %s no acknowledged event is lost, order holds, and the process is not ready but alive',
    async (outage) => {
      const fixture = await KafkaFixture.create({ brokers: [await kafka('start')] });
      const newest = new Map<string, number>();
      const gaps: string[] = [];
      const on = (events: PublicEvent[]): void => {
        for (const { subject, sequence, id } of events) {
          const last = newest.get(subject) ?? 0;
          if (sequence > last + 1) gaps.push(id);
          newest.set(subject, Math.max(last, sequence));
        }
      };
      const { bus, crashes } = await fixture.join([consumer('g', topics.invoice, on)], { clock: systemClock });

      let over = false;
      let round = 0;
      const publishing = (async () => {
        while (!over) {
          round += 1;
          const events = SUBJECTS.map((subject) => invoiceEvent(subject, round));
          while (
            !(await bus.publish(topics.invoice, events).then(
              () => true,
              () => false,
            ))
          )
            await systemClock.sleep(200);
          await systemClock.sleep(20);
        }
      })();
      await systemClock.sleep(1_000);
      await kafka(outage === 'is killed' ? 'kill' : 'pause');
      const unready = await bus.check();
      await systemClock.sleep(6_000);
      expect([unready, bus.progress()]).toEqual([expect.any(String), true]);
      await kafka(outage === 'is killed' ? 'start' : 'resume');
      await systemClock.sleep(1_000);
      over = true;
      await publishing;
      await until(() => SUBJECTS.every((subject) => newest.get(subject) === round), LONG);
      await until(async () => (await bus.check()) === true, LONG);
      expect({ gaps, crashes }).toEqual({ gaps: [], crashes: [] });
      await fixture.close();
    },
    LONG,
  );
});
