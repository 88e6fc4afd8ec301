import { IsOneOf, IsOrigin, Setting } from '@svc/service';
import { EventStoreUrl, SecretsKey, ServiceConfig } from '@svc/service/process/config';
import { paces, type Pace } from './pace.ts';

export class FiscalSubmissionConfig extends ServiceConfig {
  @EventStoreUrl()
  EVENT_STORE_URL: string;

  @SecretsKey()
  SECRETS_KEY: string;

  @Setting({ description: 'origin of the authority simulator' })
  @IsOrigin()
  SIMULATOR_URL: string;

  @Setting({ description: 'fast divides the waits between calls of the authority by 100, for tests', default: 'live', development: true })
  @IsOneOf(paces)
  AUTHORITY_PACE: Pace;
}
