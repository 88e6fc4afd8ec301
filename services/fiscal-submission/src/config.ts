import { applyDecorators } from '@nestjs/common';
import { IsCount, IsOneOf, IsOptional, IsOrigin, Setting } from '@svc/service';
import { EventStoreUrl, SecretsKey, ServiceConfig } from '@svc/service/process/config';
import { paces, type Pace } from './pace.ts';
import { WIRE_LOG_KEPT_DAYS } from './submission/wire-log-retention.ts';

export const WireLogKeepDays = (): PropertyDecorator =>
  applyDecorators(
    Setting({ description: 'days that the bytes of submissions to authorities are kept: they are evidence', default: WIRE_LOG_KEPT_DAYS }),
    IsCount(1, 36_500),
  ) as PropertyDecorator;

const TestUrl = (service: string): PropertyDecorator =>
  applyDecorators(
    Setting({ description: `origin of ${service} for test documents, such as that of the authority simulator; absent: it is not served` }),
    IsOptional(),
    IsOrigin(),
  ) as PropertyDecorator;

export class FiscalSubmissionConfig extends ServiceConfig {
  @EventStoreUrl()
  EVENT_STORE_URL: string;

  @SecretsKey()
  SECRETS_KEY: string;

  @Setting({ description: 'origin of the authority simulator' })
  @IsOrigin()
  SIMULATOR_URL: string;

  @TestUrl('Albania’s Fiscalization Service')
  AL_CIS_TEST_URL?: string;

  @TestUrl('Montenegro’s fiscal service')
  ME_EFI_TEST_URL?: string;

  @TestUrl('Spain’s VERI*FACTU service')
  ES_VERIFACTU_TEST_URL?: string;

  @Setting({ description: 'fast divides the waits between calls of the authority by 100, for tests', default: 'live', development: true })
  @IsOneOf(paces)
  AUTHORITY_PACE: Pace;

  @WireLogKeepDays()
  WIRE_LOG_KEEP_DAYS: number;
}
