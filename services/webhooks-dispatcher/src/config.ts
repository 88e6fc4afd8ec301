import { IsDurations, IsOrigins, Setting } from '@svc/service';
import { SecretsKey, ServiceConfig } from '@svc/service/process/config';

export class WebhooksConfig extends ServiceConfig {
  @SecretsKey()
  SECRETS_KEY: string;

  @Setting({ description: 'origins that may be called although they are not public https (development)', default: '', development: true })
  @IsOrigins()
  WEBHOOKS_ALLOW: string[];

  @Setting({ description: 'delays before retries 1 to 5', default: '1m,5m,30m,2h,24h', development: true })
  @IsDurations()
  WEBHOOKS_RETRY_DELAYS: number[];
}
