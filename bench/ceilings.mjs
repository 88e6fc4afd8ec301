// What one replica does for all, at its limit: the relay of invoicing, and the consumers that fold its events. Each gets a backlog, and the time in which
// it works it off is measured from the first of it that it has done, so that a server or process that has just been woken is not counted.
import { topics } from '@svc/contracts/events/envelope';
import { committedOf, endsOfTopics, inNamespace } from '@svc/event-bus/kafka/topics';
import { openKafka } from '@svc/event-bus/kafka/client';
import { GROUP as REPORTING } from '@svc/reporting/postings/posting';
import { createLogger } from '@svc/service';
import { each, shown, sleep } from './load.mjs';

const BACKLOG = 2_000;
const AT_ONCE = 2;
const BATCH = 20;
const LOOK_EVERY_MS = 50;
const DONE_WITHIN_MS = 120_000;
/** Consumers of invoices, each with the process that has it. Reporting stores nothing of drafts: its figure is of reading them. */
const GROUPS = { 'webhooks-dispatcher': 'webhooks-dispatcher', [REPORTING]: 'reporting' };

/**
 * Rows of the events a second. `body`: of a draft; `pids`: of the servers and of the services with one replica of each.
 * @param {{ kafka: string, namespace: string, pids: Record<string, number>, client: ReturnType<typeof import('./load.mjs').open>, body: object }} system
 */
export async function ceilings({ kafka, namespace, pids, client, body }) {
  const admin = openKafka({
    brokers: kafka.split(','),
    clientId: 'bench',
    logger: createLogger({ level: 'error', service: 'bench' }),
  }).admin();
  await admin.connect();
  const topic = inNamespace(namespace, topics.invoice);
  const published = async () =>
    sum([...(await endsOfTopics(admin, namespace, [topics.invoice])).get(topic).values()].map(({ high }) => high));
  const committed = async (group) =>
    sum((await committedOf(admin, inNamespace(namespace, group), topic)).map(({ offset }) => Math.max(0, Number(offset))));
  const requests = Array.from({ length: BATCH }, () => body);
  /** Batches whose outcome is not known are sent once more: there may be more events than are waited for. */
  const write = () =>
    each(
      Array.from({ length: BACKLOG / BATCH }),
      async () => {
        const send = () => client.post('/v1/invoices/batch', { requests });
        await send().catch(send);
      },
      AT_ONCE,
    );

  const rows = [];
  for (const [group, service] of Object.entries(GROUPS)) {
    const before = await settled(() => committed(group));
    process.kill(pids[service], 'SIGSTOP');
    await write();
    await until(async () => (await published()) - before >= BACKLOG);
    process.kill(pids[service], 'SIGCONT');
    rows.push(shown(`ceiling of the consumer of ${service}, events a second`, await rateOf(() => committed(group), before)));
  }
  // Writes go on while Kafka stands still, and the relay has them all before it when it goes on.
  const before = await settled(published);
  process.kill(pids.kafka, 'SIGSTOP');
  await write();
  process.kill(pids.kafka, 'SIGCONT');
  rows.push(shown('ceiling of the relay of invoicing, events a second', await rateOf(published, before)));
  await admin.disconnect();
  return rows;
}

const sum = (values) => values.reduce((all, value) => all + value, 0);

/** A second from the first progress behind `before` to the end of the backlog. */
async function rateOf(look, before) {
  let first;
  const done = await until(async () => {
    const now = await look();
    if (now > before) first ??= { now, at: performance.now() };
    return now - before >= BACKLOG && { now, at: performance.now() };
  });
  return ((done.now - first.now) / Math.max(LOOK_EVERY_MS, done.at - first.at)) * 1000;
}

/** The value once it has not changed for a second. */
async function settled(look) {
  let last;
  const found = await until(async () => {
    const before = last;
    await sleep(1_000);
    last = { value: await look() };
    return before?.value === last.value && last;
  });
  return found.value;
}

/** A broker that has been stopped, and a coordinator that is new, refuse some requests: they are asked again. */
async function until(look) {
  let failure;
  for (const end = performance.now() + DONE_WITHIN_MS; performance.now() < end; await sleep(LOOK_EVERY_MS)) {
    const found = await look().catch((error) => void (failure = error));
    if (found) return found;
  }
  throw new Error(`a backlog of ${BACKLOG} events is not worked off within ${DONE_WITHIN_MS / 1000} s`, { cause: failure });
}
