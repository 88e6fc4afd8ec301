import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { openKafka } from '@svc/event-bus/kafka/client';
import { inNamespace, topicConfigs } from '@svc/event-bus/kafka/topics';
import { brokers, quiet, ROOT } from '@svc/event-bus/testing/kafka-fixture';

const namespace = `t${randomBytes(6).toString('hex')}`;
const all = Object.keys(topicConfigs).map((topic) => inNamespace(namespace, topic));

afterAll(async () => {
  const admin = openKafka({ brokers: brokers(), clientId: 'tests', logger: quiet }).admin();
  await admin.connect();
  await admin.deleteTopics({ topics: all });
  await admin.disconnect();
});

test('creates the missing topics, all or those that TOPICS names, and names them, and names a wrong setting', () => {
  const program = [
    '--conditions=@svc/source',
    '--import',
    '@swc-node/register/esm-register',
    join(import.meta.dirname, 'create-topics.ts'),
  ];
  const command = (env: Record<string, string>) => {
    const { status, stdout, stderr } = spawnSync(process.execPath, program, {
      cwd: ROOT,
      env: { ...process.env, NODE_OPTIONS: '', ...env },
      encoding: 'utf8',
    });
    return { status, stdout: stdout.trim().split('\n').sort(), stderr };
  };
  const given = { KAFKA_BROKERS: brokers().join(), NAMESPACE: namespace };
  const own = all.slice(0, 2);
  expect(command({ ...given, TOPICS: Object.keys(topicConfigs).slice(0, 2).join() })).toMatchObject({
    status: 0,
    stdout: own.map((name) => `created ${name}`).sort(),
  });
  expect(command(given)).toMatchObject({
    status: 0,
    stdout: all
      .slice(2)
      .map((name) => `created ${name}`)
      .sort(),
  });
  expect(command(given)).toMatchObject({ status: 0, stdout: ['all topics are there'] });
  expect(command({ ...given, NAMESPACE: 'Not so' })).toMatchObject({ status: 1, stderr: expect.stringContaining('NAMESPACE is "Not so"') });
  expect(command({ ...given, KAFKA_PASSWORD: 'hidden' })).toMatchObject({
    status: 1,
    stderr: expect.stringContaining('KAFKA_PASSWORD is (hidden); it must be used with KAFKA_SASL_MECHANISM'),
  });
  expect(command({ ...given, TOPICS: 'invoices' })).toMatchObject({ status: 1, stderr: expect.stringContaining('TOPICS is "invoices"') });
  expect(command({ ...given, TOPIC_REPLICAS: '9', NAMESPACE: `${namespace}x` })).toMatchObject({ status: 1 });
});
