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

type Command = 'start' | 'kill' | 'pause' | 'resume' | 'wipe';

/** A broker of its own; `start` returns its address. */
function ownBroker(): (command: Command) => Promise<string> {
  const dir = mkdtempSync(join(tmpdir(), 'kafka-outage-'));
  return async (command) => {
    const options = ['--dir', dir, '--only', 'kafka', '--ports', 'kafka=0'];
    const { stdout } = await run(process.execPath, [join(ROOT, 'rig/servers/servers.mjs'), command, ...options]);
    if (command === 'wipe') rmSync(dir, { recursive: true });
    return stdout.replace('KAFKA_BROKERS=', '').trim();
  };
}

/** What was observed while the broker went away by one command and returned by another. */
async function outage(kafka: (command: Command) => Promise<string>, [away, back]: readonly [Command, Command]) {
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
  const isPublished = (events: PublicEvent[]): Promise<boolean> =>
    bus.publish(topics.invoice, events).then(
      () => true,
      () => false,
    );
  const publishing = (async () => {
    while (!over) {
      round += 1;
      const events = SUBJECTS.map((subject) => invoiceEvent(subject, round));
      while (!(await isPublished(events))) await systemClock.sleep(200);
      await systemClock.sleep(20);
    }
  })();
  await systemClock.sleep(1_000);
  await kafka(away);
  const unready = await bus.check();
  await systemClock.sleep(6_000);
  const progress = bus.progress();
  await kafka(back);
  await systemClock.sleep(1_000);
  over = true;
  await publishing;
  await until(() => SUBJECTS.every((subject) => newest.get(subject) === round), LONG);
  await until(async () => (await bus.check()) === true, LONG);
  await fixture.close();
  return { unready, progress, gaps, crashes };
}

/** Both ways at once, since nearly all of it is waiting. */
const ways = { 'stands still': ['pause', 'resume'], 'is killed': ['kill', 'start'] } as const;

test(
  `while Kafka ${Object.keys(ways).join(' or ')}, no acknowledged event is lost, order holds, and the process is not ready but alive`,
  async () => {
    const all = Object.entries(ways).map(async ([name, commands]) => {
      const kafka = ownBroker();
      return [name, await outage(kafka, commands).finally(() => kafka('wipe'))];
    });
    const asWanted = { unready: expect.any(String), progress: true, gaps: [], crashes: [] };
    expect(Object.fromEntries(await Promise.all(all))).toEqual({ 'stands still': asWanted, 'is killed': asWanted });
  },
  LONG,
);
