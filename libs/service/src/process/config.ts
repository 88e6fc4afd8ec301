import { applyDecorators } from '@nestjs/common';
import {
  IsAddresses,
  IsDuration,
  IsEventStoreUrl,
  IsInternalKeys,
  IsKeyRing,
  IsMongoUrl,
  IsNamespace,
  IsOneOf,
  IsOptional,
  IsOrigin,
  IsOriginOr,
  IsPort,
  IsText,
  IsToken,
  IsUrlOf,
  logLevels,
  Setting,
  type LogLevel,
} from '../index.ts';
import { withKafkaSettings } from './kafka-settings.ts';

class Servers {
  @Setting({ description: 'port of the interface', default: 3000 })
  @IsPort()
  PORT: number;

  @Setting({ description: 'address that the ports listen on', default: '127.0.0.1' })
  @IsText()
  HOST: string;

  @Setting({ description: 'operators’ port: /healthz, /readyz, /metrics, /admin/dead-letters', default: 3001 })
  @IsPort()
  OPS_PORT: number;

  @Setting({ description: 'public origin of the system, the base of links' })
  @IsOrigin()
  PUBLIC_URL: string;

  @Setting({ description: 'begins the names of topics, groups, databases and streams, so that several systems share servers', default: '' })
  @IsNamespace()
  NAMESPACE: string;

  @Setting({ description: 'MongoDB: a replica set', secret: true })
  @IsMongoUrl()
  MONGODB_URL: string;

  @Setting({ description: 'Kafka' })
  @IsAddresses()
  KAFKA_BROKERS: string[];
}

/** The settings of every service. Each service adds its own. */
export class ServiceConfig extends withKafkaSettings(Servers) {
  @Setting({ description: 'keys of the identity that the gateway hands to the services; the first signs, all verify', secret: true })
  @IsInternalKeys()
  INTERNAL_KEYS: string;

  @Setting({
    description:
      'how long new connections are taken after SIGTERM, where those who send them learn late that it is not ready (not after a preStop sleep)',
    default: '0s',
  })
  @IsDuration()
  LINGER: number;

  @Setting({ description: 'token for /admin/dead-letters of the operators’ port; without one it is not served', secret: true })
  @IsOptional()
  @IsToken()
  OPS_TOKEN?: string;

  @Setting({ description: 'how much is logged', default: 'info' })
  @IsOneOf(logLevels)
  LOG_LEVEL: LogLevel;

  @Setting({
    description: 'collector that gets traces, metrics and logs; every other OTEL_* variable of OpenTelemetry’s SDK counts as well',
  })
  @IsOptional()
  @IsUrlOf('http', 'https')
  OTEL_EXPORTER_OTLP_ENDPOINT?: string;
}

/** `EVENT_STORE_URL`, for a service with streams. */
export const EventStoreUrl = (): PropertyDecorator =>
  applyDecorators(Setting({ description: 'EventStoreDB', secret: true }), IsEventStoreUrl()) as PropertyDecorator;

/** `SECRETS_KEY`, for a service that encrypts stored data. */
export const SecretsKey = (): PropertyDecorator =>
  applyDecorators(
    Setting({ description: 'key ring that encrypts what is stored, v1:<base64 of 32 bytes>[,v2:…]', secret: true }),
    IsKeyRing(),
  ) as PropertyDecorator;

/** The value of `SIMULATOR_URL` where nothing answers test documents of the sandbox. */
export const NO_SIMULATOR = 'none';

/** `SIMULATOR_URL`, for a service that submits test documents, or refuses to number what nothing would answer. */
export const SimulatorUrl = (): PropertyDecorator =>
  applyDecorators(
    Setting({
      description: `origin of the authority simulator; ${NO_SIMULATOR}: a document of the sandbox is refused before it has a number`,
    }),
    IsOriginOr(NO_SIMULATOR),
  ) as PropertyDecorator;
