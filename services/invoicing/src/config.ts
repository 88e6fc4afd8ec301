import { EventStoreUrl, SecretsKey, ServiceConfig } from '@svc/service/process/config';

export class InvoicingConfig extends ServiceConfig {
  @EventStoreUrl()
  EVENT_STORE_URL: string;

  @SecretsKey()
  SECRETS_KEY: string;
}
