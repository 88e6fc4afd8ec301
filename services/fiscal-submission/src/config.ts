import { applyDecorators } from '@nestjs/common';
import { IsCount, IsOneOf, Setting } from '@svc/service';
import { withAuthoritySettings } from '@svc/service/process/authority-settings';
import { EventStoreUrl, SecretsKey, ServiceConfig, SimulatorUrl } from '@svc/service/process/config';
import { withConnectionSettings } from './connection-settings.ts';
import { paces, type Pace } from './pace.ts';
import { WIRE_LOG_KEPT_DAYS } from './submission/wire-log-retention.ts';

export const WireLogKeepDays = (): PropertyDecorator =>
  applyDecorators(
    Setting({ description: 'days that the bytes of submissions to authorities are kept: they are evidence', default: WIRE_LOG_KEPT_DAYS }),
    IsCount(1, 36_500),
  ) as PropertyDecorator;

class Settings extends ServiceConfig {
  @EventStoreUrl()
  EVENT_STORE_URL: string;

  @SecretsKey()
  SECRETS_KEY: string;

  @SimulatorUrl()
  SIMULATOR_URL: string;

  @Setting({ description: 'fast divides the waits between calls of the authority by 100, for tests', default: 'live', development: true })
  @IsOneOf(paces)
  AUTHORITY_PACE: Pace;

  @WireLogKeepDays()
  WIRE_LOG_KEEP_DAYS: number;
}

export class FiscalSubmissionConfig extends withAuthoritySettings(withConnectionSettings(Settings, 'it is not served')) {}
