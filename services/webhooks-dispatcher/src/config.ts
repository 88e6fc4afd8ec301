import { applyDecorators } from '@nestjs/common';
import { IsCount, IsDurations, IsOrigins, Setting } from '@svc/service';
import { SecretsKey, ServiceConfig } from '@svc/service/process/config';
import { KEPT_DAYS } from './kept-days.ts';

/** At least 3: the retries of a delivery take 27 hours. */
export const WebhooksKeepDays = (): PropertyDecorator =>
  applyDecorators(
    Setting({ description: 'days that events and ended deliveries are kept; 3 or more, since retries take 27 hours', default: KEPT_DAYS }),
    IsCount(3, 3_650),
  ) as PropertyDecorator;

export class WebhooksConfig extends ServiceConfig {
  @SecretsKey()
  SECRETS_KEY: string;

  @Setting({ description: 'origins that may be called although they are not public https (development)', default: '', development: true })
  @IsOrigins()
  WEBHOOKS_ALLOW: string[];

  @Setting({ description: 'delays before retries 1 to 5', default: '1m,5m,30m,2h,24h', development: true })
  @IsDurations()
  WEBHOOKS_RETRY_DELAYS: number[];

  @WebhooksKeepDays()
  WEBHOOKS_KEEP_DAYS: number;
}
