import { applyDecorators } from '@nestjs/common';
import { AreOperatorTokens, IsCount, IsDuration, IsFlag, IsHosts, IsList, IsOptional, IsText, Setting } from '@svc/service';
import { ValidateBy } from 'class-validator';
import type { Hosts } from './principals/api-key/resolve-key.ts';
import { isProxyEntry } from './edge/addresses.ts';

const PROXIES = 'addresses, networks such as 10.0.0.0/8, or loopback';

const AreProxies = (): PropertyDecorator =>
  ValidateBy({
    name: 'areProxies',
    validator: { validate: (value) => Array.isArray(value) && value.every(isProxyEntry), defaultMessage: () => PROXIES },
  }) as PropertyDecorator;

const IsSmtpUrl = (): PropertyDecorator =>
  ValidateBy({
    name: 'isSmtpUrl',
    validator: {
      validate: (value) => typeof value === 'string' && /^smtps?:$/.test(URL.parse(value)?.protocol ?? ''),
      defaultMessage: () => 'smtp://host:port or smtps://host:port, with user and password where it needs them',
    },
  }) as PropertyDecorator;

export const AdminTokens = (): PropertyDecorator =>
  applyDecorators(
    Setting({
      description: 'tokens for /admin of single operators, whom the audit names; each is valid up to its date',
      default: '',
      secret: true,
    }),
    AreOperatorTokens(),
  ) as PropertyDecorator;

/** Settings of the edge and of the dashboard. */
export interface EdgeSettings {
  HOSTS: Hosts;
  REQUIRE_HTTPS: boolean;
  TRUSTED_PROXIES: string[];
  ACCESS_LOG_PERCENT: number;
  SESSION_LIFE: number;
  SESSION_IDLE: number;
  STEP_UP_FOR: number;
  AUDIT_KEEP_DAYS: number;
  SMTP_URL?: string;
  MAIL_FROM?: string;
}

/** The config class with these settings after its own. */
export function withEdgeSettings<T extends object>(config: new () => T): new () => T & EdgeSettings {
  class Config extends (config as new () => object) implements EdgeSettings {
    @Setting({ description: 'hosts that take one kind of key alone; others take both', default: '' })
    @IsHosts()
    HOSTS: Hosts;

    @Setting({ description: 'refuse requests that a trusted proxy says came by http', default: false })
    @IsFlag()
    REQUIRE_HTTPS: boolean;

    @Setting({
      description: 'proxies that may say X-Forwarded-Proto and X-Forwarded-For; set and empty: nobody may',
      default: 'loopback',
      emptyIsValue: true,
    })
    @AreProxies()
    @IsList('entries')
    TRUSTED_PROXIES: string[];

    @Setting({
      description:
        'of a hundred requests, how many get a line in the log at level info, by the end of their ids; those that fail always do',
      default: 0,
    })
    @IsCount(0, 100)
    ACCESS_LOG_PERCENT: number;

    @Setting({ description: 'how long a session of the dashboard lasts', default: '12h' })
    @IsDuration()
    SESSION_LIFE: number;

    @Setting({ description: 'how long one lasts that is not used', default: '2h' })
    @IsDuration()
    SESSION_IDLE: number;

    @Setting({ description: 'how long password or code open what needs them again', default: '10m' })
    @IsDuration()
    STEP_UP_FOR: number;

    @Setting({ description: 'days for which the audit is kept', default: 3_650 })
    @IsCount(1, 36_500)
    AUDIT_KEEP_DAYS: number;

    @Setting({
      description: 'server that sends mails to owners, smtp://user:password@host:587 or smtps://…; absent: none are sent',
      secret: true,
    })
    @IsOptional()
    @IsSmtpUrl()
    SMTP_URL?: string;

    @Setting({ description: 'sender of mails; absent: no-reply at the host of PUBLIC_URL' })
    @IsOptional()
    @IsText()
    MAIL_FROM?: string;
  }
  return Config as new () => T & EdgeSettings;
}

/** Settings of the edge where it runs in one process with the services. */
export class EdgeConfig extends withEdgeSettings(Object) {}

/** Settings of the dashboard as the gateway takes them. */
export const termsOf = (
  { SESSION_LIFE, SESSION_IDLE, STEP_UP_FOR, AUDIT_KEEP_DAYS, SMTP_URL: url, MAIL_FROM: from }: EdgeSettings,
  publicUrl: string,
) => ({
  sessionTerms: { life: SESSION_LIFE, idle: SESSION_IDLE, stepUp: STEP_UP_FOR },
  auditKeepDays: AUDIT_KEEP_DAYS,
  smtp: url === undefined ? undefined : { url, from: from ?? `no-reply@${new URL(publicUrl).hostname}` },
});
