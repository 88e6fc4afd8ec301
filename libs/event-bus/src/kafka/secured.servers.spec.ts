import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { topics, type PublicEvent } from '@svc/contracts/events/envelope';
import { embeddedDocumentStore } from '@svc/document-store';
import { Engine } from '@svc/embedded';
import { systemClock } from '@svc/kernel';
import kafkajs from 'kafkajs';
import { documentDeadLetters } from '../dead-letter.ts';
import { consumer, invoiceEvent } from '../event-bus.suite.ts';
import { KafkaFixture, quiet } from '../testing/kafka-fixture.ts';
import { startSecuredBroker, USER, type SecuredBroker } from '../testing/secured-broker.ts';
import type { Cluster } from './cluster.ts';
import { openKafka } from './client.ts';
import { KafkaBus } from './kafka-bus.ts';

const LONG = 120_000;
const { AclOperationTypes: may, AclPermissionTypes, AclResourceTypes, ResourcePatternTypes } = kafkajs;

/** The rights that deploy/README.md names. */
const rights = [
  [AclResourceTypes.TOPIC, [may.CREATE, may.DESCRIBE, may.DESCRIBE_CONFIGS, may.READ, may.WRITE]],
  [AclResourceTypes.GROUP, [may.DESCRIBE, may.READ]],
] as const;

let broker: SecuredBroker;
beforeAll(async () => {
  broker = await startSecuredBroker();
}, LONG);
afterAll(() => broker?.stop());

/** Gives the user the rights on all names that begin with a letter, and nothing else. */
async function allow(letter: string): Promise<void> {
  const admin = openKafka({ ...broker.open, clientId: 'tests', logger: quiet }).admin();
  await admin.connect();
  const acl = rights.flatMap(([resourceType, operations]) =>
    operations.map((operation) => ({
      ...{ resourceType, resourceName: letter, resourcePatternType: ResourcePatternTypes.PREFIXED },
      ...{ principal: `User:${USER}`, host: '*', operation, permissionType: AclPermissionTypes.ALLOW },
    })),
  );
  await admin.createAcls({ acl });
  await admin.disconnect();
}

test(
  'creates topics, publishes and consumes by TLS, as a user with the rights on its namespace alone',
  async () => {
    await allow('t');
    const fixture = await KafkaFixture.create(broker.secured, broker.open);
    const received: PublicEvent[] = [];
    const { bus } = await fixture.join([consumer('g', topics.invoice, (events) => void received.push(...events))]);
    const event = invoiceEvent('inv_1', 1);
    await bus.publish(topics.invoice, [event]);
    await fixture.caughtUp();
    expect([received, await bus.check()]).toEqual([[event], true]);
    await fixture.close();
  },
  LONG,
);

describe('a bus that cannot use Kafka is not ready, and says why:', () => {
  async function answer(cluster: Cluster): Promise<string> {
    const deadLetters = documentDeadLetters(embeddedDocumentStore(engine, 'svc_test'));
    const options = { namespace: 'other', clientId: 'tests', publishes: [topics.invoice], clock: systemClock, logger: quiet };
    const bus = new KafkaBus({ ...cluster, ...options, deadLetters, crashed: () => undefined });
    await expect(bus.publish(topics.invoice, [invoiceEvent('inv_1', 1)])).rejects.toThrow();
    const seen = String(await bus.check());
    await bus.close();
    return seen;
  }
  let folder: string;
  let engine: Engine;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'kafka-secured-bus-'));
    engine = Engine.open(folder, { durable: false });
  });
  afterAll(() => {
    engine.close();
    rmSync(folder, { recursive: true });
  });

  test('a wrong password, which is not shown', async () => {
    const seen = await answer({ ...broker.secured, sasl: { ...broker.secured.sasl, password: 'a wrong one' } });
    expect(seen).toMatch(/does not accept the user of this process, or its password/);
    expect(seen).not.toContain('a wrong one');
  });

  test('a missing right', async () => {
    expect(await answer(broker.secured)).toMatch(/TOPIC_AUTHORIZATION_FAILED.*Grant it this right/);
  });

  test('a certificate of an unknown authority', async () => {
    expect(await answer({ ...broker.secured, tls: {} })).toMatch(/certificate/);
  });
});
