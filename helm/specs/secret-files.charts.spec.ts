import { get, render, type Values } from '../testing/render.ts';

const asFiles: Values = { existingSecret: { name: 'mine', keys: { mongodbUrl: 'uri' }, asFiles: ['mongodbUrl', 'secretsKey'] } };

test('secrets that are named are files of the container, and no variables', () => {
  const { containers, volumes } = get(render('gateway', asFiles), 'Deployment').spec.template.spec;
  const env = new Map(containers[0].env?.map((one) => [one.name, one.value ?? one.valueFrom?.secretKeyRef?.key]));
  expect([env.get('MONGODB_URL_FILE'), env.get('SECRETS_KEY_FILE')]).toEqual(['/secrets/MONGODB_URL', '/secrets/SECRETS_KEY']);
  expect([env.has('MONGODB_URL'), env.has('SECRETS_KEY'), env.get('INTERNAL_KEYS')]).toEqual([false, false, 'INTERNAL_KEYS']);
  expect(containers[0].volumeMounts).toContainEqual({ name: 'secrets', mountPath: '/secrets', readOnly: true });
  const items = [
    { key: 'uri', path: 'MONGODB_URL' },
    { key: 'SECRETS_KEY', path: 'SECRETS_KEY' },
  ];
  expect(volumes).toContainEqual({ name: 'secrets', secret: { secretName: 'mine', defaultMode: 0o440, items } });
});

test('the Job of the topics has the password of Kafka as the service has it', () => {
  const settings = { kafkaTls: true, kafkaSaslMechanism: 'scram-sha-512', kafkaUsername: 'invoicing' };
  const values = { global: { settings }, existingSecret: { asFiles: ['kafkaPassword'] } };
  const { containers, volumes } = get(render('reporting', values), 'Job').spec.template.spec;
  expect(containers[0].env).toContainEqual({ name: 'KAFKA_PASSWORD_FILE', value: '/secrets/KAFKA_PASSWORD' });
  expect(volumes?.map(({ name }) => name)).toEqual(['secrets']);
  expect(get(render('reporting', asFilesOf('internalKeys')), 'Job').spec.template.spec.volumes).toBeUndefined();
});

const asFilesOf = (...names: string[]): Values => ({ existingSecret: { asFiles: names } });
