import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:tls';
import { join } from 'node:path';
import { eventually, withKafka } from '@svc/testkit';
import { mutes } from '../../deploy/monitoring/testing/inhibitions.ts';
import { startNightLoad, type NightLoad } from './testing/night/night-load.ts';
import { startNightPrometheus, type Alert, type NightPrometheus } from './testing/night/night-prometheus.ts';
import { startNightSystem, type NightSystem } from './testing/night/night-system.ts';

/** Divides how long a condition must hold before its alert fires. */
const FACTOR = Number(process.env['NIGHT_FACTOR'] ?? 12);
const MINUTE_MS = 60_000;
const TIMEOUT_MS = 45 * MINUTE_MS;

let system: NightSystem;
let prometheus: NightPrometheus;
let load: NightLoad;
const times: string[] = [];

beforeAll(async () => {
  system = await startNightSystem();
  prometheus = await startNightPrometheus({ folder: join(system.folder, 'prometheus'), ports: system.opsPorts, factor: FACTOR });
  load = await startNightLoad(system.api);
  await eventually(async () => load.submitted.length > 10 && !(await prometheus.alerts()).some(isCritical), 'a quiet night', 5 * MINUTE_MS);
}, TIMEOUT_MS);

afterAll(async () => {
  console.log(
    `conditions of the alerts hold 1/${FACTOR} of their time\n${times.join('\n')}\nrequests by status: ${JSON.stringify([...load.statuses])}`,
  );
  await load?.stop();
  await prometheus?.stop();
  await system?.stop();
}, TIMEOUT_MS);

const isCritical = ({ labels }: Alert): boolean => labels.severity === 'critical';

interface Fault {
  name: string;
  alert: string;
  /** Whether it pages an operator. */
  severity: 'critical' | 'warning';
  make(): Promise<unknown>;
  /** What the runbook says, as commands; looks first, then mends. */
  look(): Promise<void>;
  mend(): Promise<unknown>;
}

const named = (alerts: Alert[], alert: string): Alert[] => alerts.filter(({ labels }) => labels.alertname === alert);
const isFiring = ({ state }: Alert): boolean => state === 'firing';

/** Makes the fault, waits for its alert and for no other that pages an operator, follows the runbook, and waits until nothing pages an operator. */
async function night({ name, alert, severity, make, look, mend }: Fault): Promise<void> {
  const others = new Set<string>();
  const watch = async (): Promise<Alert[]> => {
    const alerts = await prometheus.alerts();
    const firing = alerts.filter(isFiring);
    // Alertmanager omits what another alert explains while that one fires.
    for (const other of firing.filter(isCritical))
      if (other.labels.alertname !== alert && !firing.some(({ labels }) => mutes(labels, other.labels)))
        others.add(`${other.labels.alertname} of ${other.labels.service}`);
    return alerts;
  };
  const since = (start: number): string => `${((Date.now() - start) / 1000).toFixed(0)} s`;
  const faultAt = Date.now();
  await make();
  const fires = async (): Promise<Alert | undefined> => named(await watch(), alert).find(isFiring);
  const fired = await eventually(fires, `${alert} fires`, 8 * MINUTE_MS);
  const firedAfter = since(faultAt);
  expect(fired.labels.severity).toBe(severity);
  expect(readFileSync(join(import.meta.dirname, '..', '..', fired.annotations.runbook_url), 'utf8')).toContain(`# ${alert}`);
  await look();
  const mendedAt = Date.now();
  await mend();
  await eventually(async () => named(await watch(), alert).length === 0, `${alert} ends`, 20 * MINUTE_MS);
  const endedAfter = since(mendedAt);
  await eventually(async () => !(await watch()).some(isCritical), 'a quiet night', 12 * MINUTE_MS);
  const summary = `${alert} (${severity}) fired after ${firedAfter}, ended ${endedAfter} after the runbook was begun, all was quiet after ${since(mendedAt)}`;
  times.push(`${name}: ${summary}; others that page an operator: ${[...others].join(', ') || 'none'}`);
  expect([name, [...others]]).toEqual([name, []]);
}

const readiness = (service: string): Record<string, string> =>
  (JSON.parse(system.svcAdmin(service, 'readiness')) as { checks: Record<string, string> }).checks;

test(
  'a broker is away: KafkaUnreachable',
  () =>
    night({
      name: 'broker away',
      alert: 'KafkaUnreachable',
      severity: 'critical',
      make: () => system.servers.kafka.kill9(),
      look: async () => expect(readiness('invoicing')['kafka']).not.toBe('ok'),
      async mend() {
        await system.servers.kafka.start();
        await eventually(() => readiness('invoicing')['kafka'] === 'ok', 'readiness', 3 * MINUTE_MS);
      },
    }),
  TIMEOUT_MS,
);

test(
  'the disk of the event store is full: EventStoreUnreachable',
  () => {
    const filler = join(system.smallDisk, 'filler');
    return night({
      name: 'disk full',
      alert: 'EventStoreUnreachable',
      severity: 'critical',
      async make() {
        for (let megabytes = 0; megabytes < 64; megabytes += 1) {
          try {
            writeFileSync(filler, Buffer.alloc(2 ** 20), { flag: 'a' });
          } catch {
            return;
          }
        }
        throw new Error('the disk is not full');
      },
      look: async () => expect(readiness('invoicing')['eventstoredb']).not.toBe('ok'),
      async mend() {
        rmSync(filler);
        await system.servers.eventStore.start();
      },
    });
  },
  TIMEOUT_MS,
);

test(
  'one bad event: DeadLetters',
  () =>
    night({
      name: 'one bad event',
      alert: 'DeadLetters',
      severity: 'warning',
      make: () =>
        withKafka({ kafkaBrokers: system.servers.env['KAFKA_BROKERS'] ?? '' }, async () => {
          const { default: kafkajs } = await import('kafkajs');
          const kafka = new kafkajs.Kafka({
            clientId: 'night',
            brokers: (system.servers.env['KAFKA_BROKERS'] ?? '').split(','),
            logLevel: kafkajs.logLevel.NOTHING,
          });
          const producer = kafka.producer();
          await producer.connect();
          await producer.send({ topic: `${system.namespace}.invoicing.invoice`, messages: [{ key: 'bad', value: '{"not":"an event"}' }] });
          await producer.disconnect();
        }),
      async look() {
        // The alert may be that of another group, which was faster.
        await eventually(() => deadLettersOf('reporting').length > 0, 'the dead letter of reporting', MINUTE_MS);
        const deadLetters = deadLettersOf('reporting');
        expect(deadLetters).toHaveLength(1);
        for (const { group, id, reason } of deadLetters) {
          expect([group, reason]).toEqual(['reporting.r2', 'broken_envelope']);
          expect(system.svcAdmin('reporting', 'dead-letters', 'show', '--id', id)).toContain('not');
        }
      },
      async mend() {
        for (const service of ['reporting', 'webhooks-dispatcher'])
          for (const { group, id } of deadLettersOf(service))
            system.svcAdmin(service, 'dead-letters', 'drop', '--group', group, '--id', id);
        expect([...deadLettersOf('reporting'), ...deadLettersOf('webhooks-dispatcher')]).toEqual([]);
      },
    }),
  TIMEOUT_MS,
);

interface DeadLetter {
  id: string;
  group: string;
  reason: string;
}
const deadLettersOf = (service: string): DeadLetter[] =>
  (JSON.parse(system.svcAdmin(service, 'dead-letters', 'list', '--limit', '20')) as { data: DeadLetter[] }).data;

test(
  'the certificate of the authority has expired: AuthorityCertificateExpired',
  () =>
    night({
      name: 'certificate expired',
      alert: 'AuthorityCertificateExpired',
      severity: 'warning', // the sandbox's
      make: async () => system.authority.use('expired'),
      async look() {
        const [, seconds] =
          /authority="sandbox"\} (\d+)/.exec(system.svcAdmin('fiscal-submission', 'metrics', '--match', 'certificate_expiry')) ?? [];
        expect(Number(seconds) * 1000).toBe(Date.parse(await validTo(system.authority.url)));
        expect(Number(seconds) * 1000).toBeLessThan(Date.now());
      },
      mend: async () => system.authority.use('valid'),
    }),
  TIMEOUT_MS,
);

/** As `openssl s_client` shows it. */
const validTo = (url: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const socket = connect({ port: Number(new URL(url).port), host: '127.0.0.1', rejectUnauthorized: false }, () => {
      resolve(socket.getPeerCertificate().valid_to);
      socket.destroy();
    }).once('error', reject);
  });

test(
  'in the morning every submitted invoice has its fiscal code',
  async () => {
    await load.stop();
    expect(load.submitted.length).toBeGreaterThan(50);
    for (const id of load.submitted)
      await eventually(
        async () => (await system.api<{ fiscal_code: string | null }>('GET', `/invoices/${id}`)).body.fiscal_code,
        `the code of ${id}`,
        5 * MINUTE_MS,
      );
    const waiting = system.svcAdmin('fiscal-submission', 'metrics', '--match', 'svc_submissions_waiting');
    expect(waiting).toContain('svc_submissions_waiting{authority="sandbox",env="test"} 0');
  },
  TIMEOUT_MS,
);
