import { applyDecorators } from '@nestjs/common';
import { IsOptional, IsOrigins, Setting } from '@svc/service';
import { withAuthoritySettings } from '@svc/service/process/authority-settings';
import { withTestConnections } from '@svc/service/process/test-connections';
import { EventStoreUrl, SecretsKey, ServiceConfig, SimulatorUrl } from '@svc/service/process/config';

export const ClockWitnesses = (): PropertyDecorator =>
  applyDecorators(
    Setting({
      description: 'origins whose Date confirms the clock, beside MongoDB’s time: that of the tax authority; asked hourly by HEAD',
      default: '',
    }),
    IsOrigins(),
  ) as PropertyDecorator;

class Settings extends ServiceConfig {
  @EventStoreUrl()
  EVENT_STORE_URL: string;

  @SecretsKey()
  SECRETS_KEY: string;

  @SimulatorUrl()
  @IsOptional()
  SIMULATOR_URL?: string;

  @ClockWitnesses()
  CLOCK_WITNESSES: string[];
}

export class InvoicingConfig extends withAuthoritySettings(
  withTestConnections(Settings, 'such a document is refused before it has a number'),
) {}
