import { Ajv } from 'ajv';
import { IsOptional } from 'class-validator';
import { describeConfig } from './describe-config.ts';
import { ConfigError, loadConfig } from './load-config.ts';
import {
  IsAddresses,
  IsCount,
  IsDuration,
  IsDurations,
  IsFlag,
  IsHosts,
  IsList,
  IsNamespace,
  IsOneOf,
  IsOrigin,
  IsOrigins,
  IsPort,
  IsText,
  IsUrlOf,
} from './rules.ts';
import { IsEventStoreUrl } from './server-rules.ts';
import { Setting, settingsOf } from './setting.ts';

class Config {
  @Setting({ description: 'the port', default: 3000 })
  @IsPort()
  PORT: number;

  @Setting({ description: 'https only', default: false })
  @IsFlag()
  REQUIRE_HTTPS: boolean;

  @IsDurations()
  @Setting({ description: 'delays between attempts', default: '1m,5m,30m,2h,24h' })
  DELAYS: number[];

  @Setting({ description: 'patience', default: '300ms' })
  @IsDuration()
  PATIENCE: number;

  @Setting({ description: 'which hosts serve which environment', default: '' })
  @IsHosts()
  HOSTS: Map<string, 'live' | 'sandbox'>;

  @Setting({ description: 'a store' })
  @IsOptional()
  @IsEventStoreUrl()
  EVENT_STORE_URL?: string;

  @Setting({ description: 'base of links', default: 'http://localhost:3000' })
  @IsOrigin()
  PUBLIC_URL: string;

  @Setting({ description: 'origins', default: 'http://127.0.0.1:9000' })
  @IsOrigins()
  ALLOW: string[];

  @Setting({ description: 'brokers', default: 'a:1,b:2' })
  @IsList('hosts and ports')
  BROKERS: string[];

  @Setting({ description: 'documents' })
  @IsOptional()
  @IsUrlOf('mongodb')
  MONGODB_URL?: string;

  @Setting({ description: 'bus', default: 'kafka:9092' })
  @IsAddresses()
  ADDRESSES: string[];

  @Setting({ description: 'names', default: '' })
  @IsNamespace()
  NAMESPACE: string;

  @Setting({ description: 'least level of log lines', default: 'info' })
  @IsOneOf(['info', 'debug'])
  LOG_LEVEL: string;

  @Setting({ description: 'replicas', default: 1 })
  @IsCount(1, 12)
  REPLICAS: number;

  @Setting({ description: 'for operators', secret: true })
  @IsText()
  ADMIN_TOKEN: string;
}

const given = { ADMIN_TOKEN: 'hunter2' };
const wrong = (env: Record<string, string>): [string, string | undefined][] => {
  try {
    loadConfig(Config, { ...given, ...env });
  } catch (error) {
    if (error instanceof ConfigError) return error.wrong.map(({ name, was }) => [name, was]);
    throw error;
  }
  return [];
};

const accepted = {
  PORT: '0',
  REQUIRE_HTTPS: 'true',
  DELAYS: '300ms, 1s',
  PATIENCE: '2d',
  HOSTS: 'API.x=live,sandbox.x=sandbox',
  EVENT_STORE_URL: 'esdb://localhost:2113?tls=false',
  MONGODB_URL: 'mongodb://user:word@a:27017,b:27017/?replicaSet=rs0',
  ADDRESSES: 'kafka-1.x:9092, [::1]:9093',
  NAMESPACE: 'blue7',
  ALLOW: 'http://127.0.0.1:9000,https://x.test:8443/',
  LOG_LEVEL: '',
};
const refused = [
  ['PORT', '65536'],
  ['PORT', 'http'],
  ['PORT', '80.5'],
  ['REQUIRE_HTTPS', 'yes'],
  ['DELAYS', '1m,soon'],
  ['DELAYS', '5'],
  ['PATIENCE', '1m,2m'],
  ['HOSTS', 'api.x'],
  ['HOSTS', 'api.x=both'],
  ['EVENT_STORE_URL', 'http://x'],
  ['EVENT_STORE_URL', 'esdb://'],
  ['EVENT_STORE_URL', 'esdb://a:b:c:2113'],
  ['EVENT_STORE_URL', 'esdb://x:2113?tls=fals'],
  ['EVENT_STORE_URL', 'esdb://x:2113?tls'],
  ['EVENT_STORE_URL', 'esdb://x:2113?tsl=false'],
  ['EVENT_STORE_URL', 'esdb://x:2113?tls=false&toString=1'],
  ['EVENT_STORE_URL', 'esdb://x:2113?keepAliveInterval=soon'],
  ['MONGODB_URL', 'mongodb://'],
  ['MONGODB_URL', '127.0.0.1:27017'],
  ['ADDRESSES', 'kafka'],
  ['ADDRESSES', 'http://kafka:9092'],
  ['NAMESPACE', 'Blue'],
  ['NAMESPACE', 'a-b'],
  ['NAMESPACE', 'seventeenletters1'],
  ['PUBLIC_URL', 'https://x.test/v1'],
  ['PUBLIC_URL', 'ftp://x.test'],
  ['ALLOW', 'http://a,b'],
  ['BROKERS', 'a,,b'],
  ['LOG_LEVEL', 'loud'],
  ['REPLICAS', '13'],
] as const;

describe('configuration', () => {
  test('has the defaults for settings that are not in the environment', () => {
    expect({ ...loadConfig(Config, given) }).toEqual({
      PORT: 3000,
      REQUIRE_HTTPS: false,
      DELAYS: [60_000, 300_000, 1_800_000, 7_200_000, 86_400_000],
      PATIENCE: 300,
      HOSTS: new Map(),
      PUBLIC_URL: 'http://localhost:3000',
      ALLOW: ['http://127.0.0.1:9000'],
      BROKERS: ['a:1', 'b:2'],
      ADDRESSES: ['kafka:9092'],
      NAMESPACE: '',
      LOG_LEVEL: 'info',
      REPLICAS: 1,
      ADMIN_TOKEN: 'hunter2',
    });
  });

  test('is read from the environment; an empty variable counts as absent', () => {
    expect(loadConfig(Config, { ...given, ...accepted })).toMatchObject({
      PORT: 0,
      REQUIRE_HTTPS: true,
      DELAYS: [300, 1_000],
      PATIENCE: 172_800_000,
      HOSTS: new Map([
        ['api.x', 'live'],
        ['sandbox.x', 'sandbox'],
      ]),
      EVENT_STORE_URL: 'esdb://localhost:2113?tls=false',
      MONGODB_URL: 'mongodb://user:word@a:27017,b:27017/?replicaSet=rs0',
      ADDRESSES: ['kafka-1.x:9092', '[::1]:9093'],
      NAMESPACE: 'blue7',
      ALLOW: ['http://127.0.0.1:9000', 'https://x.test:8443'],
      LOG_LEVEL: 'info',
    });
  });

  test.each([
    'esdb://localhost',
    'esdb://a:2113,b.x:2113/?tls=true&nodePreference=leader',
    'esdb+discover://admin:chang%40e/it?@store.x:2113?keepAliveInterval=10000&tlsCAFile=/certs/ca.crt',
  ])('accepts %s as EVENT_STORE_URL', (EVENT_STORE_URL) => {
    expect(loadConfig(Config, { ...given, EVENT_STORE_URL })).toMatchObject({ EVENT_STORE_URL });
  });

  test.each(refused)('%s=%s fails the start, and the error shows the value', (name, value) => {
    expect(wrong({ [name]: value })).toEqual([[name, JSON.stringify(value)]]);
  });

  test('the schema of a setting accepts the values that the start accepts, and no others', () => {
    const ajv = new Ajv();
    const schemas = new Map(settingsOf(Config).map((setting) => [setting.name, setting]));
    const accepts = (name: string, value: string): boolean => {
      const { schema = {}, read } = schemas.get(name) ?? {};
      const isText = !('type' in schema) || schema.type === 'string';
      return ajv.validate(schema, isText ? value : read?.(value));
    };
    // A chart does not contain EventStoreDB's connection string and the hosts as values.
    const isOpen = (name: string): boolean => ['EVENT_STORE_URL', 'HOSTS'].includes(name);
    const given = Object.entries(accepted).filter(([, value]) => value !== '');
    expect(given.filter(([name, value]) => !accepts(name, value))).toEqual([]);
    expect(refused.filter(([name, value]) => !isOpen(name) && accepts(name, value))).toEqual([['BROKERS', 'a,,b']]);
  });

  test('reports all wrong settings with the allowed values, never the value of a secret', () => {
    class Strict {
      @Setting({ description: 'x', secret: true })
      @IsOneOf(['a', 'b'])
      TOKEN: string;
      @Setting({ description: 'x' })
      @IsPort()
      PORT: number;
    }
    expect(() => loadConfig(Strict, { TOKEN: 'hunter2' })).toThrow(
      new ConfigError([
        { name: 'TOKEN', was: '(hidden)', expected: 'one of a, b' },
        { name: 'PORT', was: undefined, expected: 'a port, 0 (any free one) to 65535' },
      ]),
    );
  });

  test('is described for --help: name, default and allowed values', () => {
    const help = describeConfig(Config);
    for (const line of [
      'PORT ',
      '[3000]',
      'a port, 0',
      'DELAYS',
      '[1m,5m,30m,2h,24h]',
      'one of info, debug',
      'ADMIN_TOKEN',
      'for operators',
    ]) {
      expect(help).toContain(line);
    }
  });
});
