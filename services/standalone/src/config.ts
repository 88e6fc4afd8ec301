import { plans, type Plan } from '@svc/contracts/account/vocabulary';
import { paces, type Pace } from '@svc/fiscal-submission/pace';
import { AdminTokens, EdgeConfig } from '@svc/gateway/config';
import { ClockWitnesses } from '@svc/invoicing/config';
import { WireLogKeepDays } from '@svc/fiscal-submission/config';
import { withConnectionSettings } from '@svc/fiscal-submission/connection-settings';
import { WebhooksKeepDays } from '@svc/webhooks-dispatcher/config';
import {
  IsAddresses,
  IsCount,
  IsDuration,
  IsDurations,
  IsEventStoreUrl,
  IsFlag,
  IsInternalKeys,
  IsKeyRing,
  IsMongoUrl,
  IsNamespace,
  IsNotForThisRun,
  IsOneOf,
  IsOptional,
  IsOrigin,
  IsOrigins,
  IsPort,
  IsText,
  IsToken,
  IsUrlOf,
  logLevels,
  Setting,
  type LogLevel,
  type OperatorToken,
} from '@svc/service';
import { withAuthoritySettings } from '@svc/service/process/authority-settings';
import { withKafkaSettings } from '@svc/service/process/kafka-settings';

class Settings extends EdgeConfig {
  @Setting({ description: 'public port: /v1, /files, /openapi.json, /docs, /', default: 3000 })
  @IsPort()
  PORT: number;

  @Setting({ description: 'address that the ports listen on', default: '127.0.0.1' })
  @IsText()
  HOST: string;

  @Setting({ description: 'operators’ port: /healthz, /readyz, /metrics, /admin', default: 3001 })
  @IsPort()
  OPS_PORT: number;

  @Setting({ description: 'the authority simulator’s port, on loopback', default: 3002 })
  @IsPort()
  SIMULATOR_PORT: number;

  @Setting({ description: 'public origin, the base of links; http://localhost:$PORT where it is not given' })
  @IsOptional()
  @IsOrigin()
  PUBLIC_URL?: string;

  @Setting({ description: 'folder of the files on this machine, and of the secrets made at the first start', default: '.data' })
  @IsText()
  DATA_DIR: string;

  @Setting({ description: 'file that the first start writes the demo account’s keys to, readable by its owner alone' })
  @IsOptional()
  @IsText()
  SETUP_FILE?: string;

  @Setting({ description: 'token for /admin, 32 characters or more; made at the first start where it is not given', secret: true })
  @IsOptional()
  @IsToken()
  ADMIN_TOKEN?: string;

  @AdminTokens()
  ADMIN_TOKENS: OperatorToken[];

  @Setting({ description: 'token for /admin/dead-letters; without one it is not served', secret: true })
  @IsOptional()
  @IsToken()
  OPS_TOKEN?: string;

  @Setting({
    description: 'key ring that each service’s own keys are derived from, v1:<base64 of 32 bytes>[,v2:…]; made where it is not given',
    secret: true,
  })
  @IsOptional()
  @IsKeyRing()
  SECRETS_KEY?: string;

  @Setting({ description: 'plan of the demo account', default: 'professional' })
  @IsOneOf(plans)
  DEMO_PLAN: Plan;

  @Setting({ description: 'origins that webhooks may call although they are not public https (development)', default: '' })
  @IsOrigins()
  WEBHOOKS_ALLOW: string[];

  @Setting({ description: 'delays before webhook retries 1 to 5', default: '1m,5m,30m,2h,24h' })
  @IsDurations()
  WEBHOOKS_RETRY_DELAYS: number[];

  @WebhooksKeepDays()
  WEBHOOKS_KEEP_DAYS: number;

  @WireLogKeepDays()
  WIRE_LOG_KEEP_DAYS: number;

  @Setting({ description: 'fast divides the waits between calls of the authority by 100, for tests', default: 'live' })
  @IsOneOf(paces)
  AUTHORITY_PACE: Pace;

  @ClockWitnesses()
  CLOCK_WITNESSES: string[];

  @Setting({ description: 'how much is logged', default: 'info' })
  @IsOneOf(logLevels)
  LOG_LEVEL: LogLevel;

  @Setting({ description: 'begins the names of what the system has on servers; made at the first start where it is not given' })
  @IsOptional()
  @IsNamespace()
  NAMESPACE?: string;

  @Setting({
    description: 'collector that gets traces, metrics and logs; every other OTEL_* variable of OpenTelemetry’s SDK counts as well',
  })
  @IsOptional()
  @IsUrlOf('http', 'https')
  OTEL_EXPORTER_OTLP_ENDPOINT?: string;
}

/** Settings of a system, however it runs. */
export class SystemConfig extends withAuthoritySettings(
  withConnectionSettings(withKafkaSettings(Settings), 'the simulator of this system'),
) {}

/** Settings of `npm start`. `npm start -- --help` prints them. */
export class StandaloneConfig extends SystemConfig {
  @Setting({ description: 'time from one backup of DATA_DIR to the next, such as 1h; none is made where it is not given' })
  @IsOptional()
  @IsDuration()
  BACKUP_EVERY?: number;

  @Setting({ description: 'folder of these backups, best on another disk; each is verified. DATA_DIR-backups where it is not given' })
  @IsOptional()
  @IsText()
  BACKUP_FOLDER?: string;

  @Setting({ description: 'how many of these backups are kept', default: 7 })
  @IsCount(1, 10_000)
  BACKUP_KEEP: number;

  @Setting({ description: 'false: these backups are made without secrets.json, which is then kept elsewhere', default: true })
  @IsFlag()
  BACKUP_SECRETS: boolean;

  @Setting({
    description: 'true: each second’s changes are copied beside these backups, for a restore to a second (svc admin restore)',
    default: false,
  })
  @IsFlag()
  BACKUP_CONTINUOUS: boolean;

  @Setting({ description: 'EventStoreDB, in the place of the embedded engine', secret: true })
  @IsOptional()
  @IsEventStoreUrl()
  EVENT_STORE_URL?: string;

  @Setting({ description: 'Kafka, in the place of the embedded bus' })
  @IsOptional()
  @IsAddresses()
  KAFKA_BROKERS?: string[];

  @Setting({ description: 'MongoDB, in the place of the embedded engine', secret: true })
  @IsOptional()
  @IsMongoUrl()
  MONGODB_URL?: string;

  @Setting({ description: 'keys of the identity that the gateway hands to services of other processes', secret: true })
  @IsOptional()
  @IsNotForThisRun('in one process no identity travels')
  INTERNAL_KEYS?: string;
}

/** Settings of `npm run start:services`. `npm run start:services -- --help` prints them. */
export class ServicesConfig extends SystemConfig {
  @Setting({ description: 'EventStoreDB', secret: true })
  @IsEventStoreUrl()
  EVENT_STORE_URL: string;

  @Setting({ description: 'Kafka' })
  @IsAddresses()
  KAFKA_BROKERS: string[];

  @Setting({ description: 'MongoDB: a replica set', secret: true })
  @IsMongoUrl()
  MONGODB_URL: string;

  @Setting({
    description: 'keys of the identity that the gateway hands to the services; made at the first start where not given',
    secret: true,
  })
  @IsOptional()
  @IsInternalKeys()
  INTERNAL_KEYS?: string;

  @Setting({ description: 'processes of each service', default: 1 })
  @IsCount(1, 9)
  REPLICAS: number;
}
