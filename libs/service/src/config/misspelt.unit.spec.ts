import { misspelt } from './misspelt.ts';

const settings = ['LOG_LEVEL', 'DATA_DIR', 'OPS_PORT', 'PORT', 'HOST', 'ADMIN_TOKEN', 'ADMIN_TOKENS'];
const found = (env: Record<string, string>) => misspelt(env, settings).map(({ name, meant }) => `${name} ${meant}`);

test.each([
  'LOGLEVEL LOG_LEVEL',
  'LOG__LEVEL LOG_LEVEL',
  'P_ORT PORT',
  'DATA_DIRR DATA_DIR',
  'DATA_DR DATA_DIR',
  'DATA_DUR DATA_DIR',
  'LOG_LEVELS LOG_LEVEL',
])('%s', (pair) => {
  expect(found({ [pair.split(' ')[0] as string]: 'x' })).toEqual([pair]);
});

test.each([
  'LOG_LEVEL',
  'ADMIN_TOKENS',
  'HOSTS',
  'POST',
  'POSTS',
  'LOG_LEVELLED',
  'DATA_DRI',
  'log_level',
  'npm_config_port',
  'DATA_DIRECTORY',
])('%s is not taken for a setting', (name) => {
  expect(found({ [name]: 'x' })).toEqual([]);
});

test('what Kubernetes sets for a service of a near name is not taken for a setting', () => {
  expect(found({ KUBERNETES_SERVICE_HOST: '10.0.0.1', OPS2_PORT: 'tcp://10.0.0.2:80', OPS_PORT_80_TCP: 'x' })).toEqual([]);
  expect(found({ OPS2_PORT: '80' })).toEqual(['OPS2_PORT OPS_PORT']);
});
