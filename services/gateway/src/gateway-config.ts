import { applyDecorators } from '@nestjs/common';
import { type Plan, plans } from '@svc/contracts/account/vocabulary';
import { IsOneOf, IsOptional, IsOrigins, IsText, IsToken, type OperatorToken, Setting } from '@svc/service';
import { rule } from '@svc/service/config/rules';
import { SecretsKey, ServiceConfig } from '@svc/service/process/config';
import { ArrayNotEmpty } from 'class-validator';
import { AdminTokens, withEdgeSettings } from './config.ts';

const ReplicasOf = (service: string): PropertyDecorator =>
  applyDecorators(
    Setting({ description: `origins of the replicas of ${service}; in Kubernetes that of its Service` }),
    IsOrigins(),
    ArrayNotEmpty({ message: 'one origin at least' }),
  ) as PropertyDecorator;

/** Settings of the gateway as its own process. */
export class GatewayConfig extends withEdgeSettings(ServiceConfig) {
  @ReplicasOf('invoicing')
  INVOICING_URL: string[];

  @ReplicasOf('fiscal-submission')
  FISCAL_SUBMISSION_URL: string[];

  @ReplicasOf('webhooks-dispatcher')
  WEBHOOKS_URL: string[];

  @ReplicasOf('reporting')
  REPORTING_URL: string[];

  @Setting({
    description:
      'what the first part of a host in these origins ends with in the name that has the addresses of all its replicas, such as -pods: each is then asked by itself; where there is no such name, the origin is',
  })
  @IsOptional()
  @rule('- and then small letters, digits and -, 32 characters at most', (value) => /^-[a-z0-9-]{0,30}[a-z0-9]$/.test(String(value)), {
    schema: { type: 'string', pattern: '^(?:-[a-z0-9-]{0,30}[a-z0-9])?$' },
  })
  PODS_SUFFIX?: string;

  @SecretsKey()
  SECRETS_KEY: string;

  @Setting({ description: 'token for /admin on the operators’ port, 32 characters or more', secret: true })
  @IsToken()
  ADMIN_TOKEN: string;

  @AdminTokens()
  ADMIN_TOKENS: OperatorToken[];

  @Setting({
    description:
      'file for a demo account’s keys, written at the first start, and the link by which its owner signs in, at each until a password is set; given to one replica alone. Without it no account is made',
    development: true,
  })
  @IsOptional()
  @IsText()
  SETUP_FILE?: string;

  @Setting({ description: 'plan of the demo account', default: 'professional', development: true })
  @IsOneOf(plans)
  DEMO_PLAN: Plan;
}
