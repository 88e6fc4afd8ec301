import { applyDecorators } from '@nestjs/common';
import { AreOperatorTokens, IsCount, IsDuration, IsFlag, IsHosts, IsList, IsOptional, IsText, Setting } from '@svc/service';
import { ValidateBy } from 'class-validator';
import type { Hosts } from './principals/api-key/resolve-key.ts';
import { isProxyEntry } from './edge/proxies.ts';

const PROXIES = 'addresses, networks such as 10.0.0.0/8, or loopback';

const AreProxies = (): PropertyDecorator =>
  ValidateBy({
    name: 'areProxies',
    validator: { validate: (value) => Array.isArray(value) && value.every(isProxyEntry), defaultMessage: () => PROXIES },
  }) as PropertyDecorator;

export const HostsSetting = (): PropertyDecorator =>
  applyDecorators(
    Setting({ description: 'hosts that take one kind of key alone; others take both', default: '' }),
    IsHosts(),
  ) as PropertyDecorator;

export const RequireHttps = (): PropertyDecorator =>
  applyDecorators(
    Setting({ description: 'refuse requests that a trusted proxy says came by http', default: false }),
    IsFlag(),
  ) as PropertyDecorator;

export const TrustedProxies = (): PropertyDecorator =>
  applyDecorators(
    Setting({
      description: 'proxies that may say X-Forwarded-Proto and X-Forwarded-For; set and empty: nobody may',
      default: 'loopback',
      emptyIsValue: true,
    }),
    IsList('entries'),
    AreProxies(),
  ) as PropertyDecorator;

export const AdminTokens = (): PropertyDecorator =>
  applyDecorators(
    Setting({
      description: 'tokens for /admin of single operators, whom the audit names; each is valid up to its date',
      default: '',
      secret: true,
    }),
    AreOperatorTokens(),
  ) as PropertyDecorator;

export const SessionLife = (): PropertyDecorator =>
  applyDecorators(Setting({ description: 'how long a session of the dashboard lasts', default: '12h' }), IsDuration()) as PropertyDecorator;

export const SessionIdle = (): PropertyDecorator =>
  applyDecorators(Setting({ description: 'how long one lasts that is not used', default: '2h' }), IsDuration()) as PropertyDecorator;

export const StepUpFor = (): PropertyDecorator =>
  applyDecorators(
    Setting({ description: 'how long password or code open what needs them again', default: '10m' }),
    IsDuration(),
  ) as PropertyDecorator;

export const AuditKeepDays = (): PropertyDecorator =>
  applyDecorators(Setting({ description: 'days for which the audit is kept', default: 3_650 }), IsCount(1, 36_500)) as PropertyDecorator;

export const SmtpUrl = (): PropertyDecorator =>
  applyDecorators(
    Setting({
      description: 'server that sends mails to owners, smtp://user:password@host:587 or smtps://…; absent: none are sent',
      secret: true,
    }),
    IsOptional(),
    ValidateBy({
      name: 'isSmtpUrl',
      validator: {
        validate: (value) => typeof value === 'string' && /^smtps?:$/.test(URL.parse(value)?.protocol ?? ''),
        defaultMessage: () => 'smtp://host:port or smtps://host:port, with user and password where it needs them',
      },
    }),
  ) as PropertyDecorator;

export const MailFrom = (): PropertyDecorator =>
  applyDecorators(
    Setting({ description: 'sender of mails; absent: no-reply at the host of PUBLIC_URL' }),
    IsOptional(),
    IsText(),
  ) as PropertyDecorator;

/** Settings of the dashboard as the gateway takes them. */
export const termsOf = (
  { SESSION_LIFE, SESSION_IDLE, STEP_UP_FOR, AUDIT_KEEP_DAYS, SMTP_URL: url, MAIL_FROM: from }: ConsoleSettings,
  publicUrl: string,
) => ({
  sessionTerms: { life: SESSION_LIFE, idle: SESSION_IDLE, stepUp: STEP_UP_FOR },
  auditKeepDays: AUDIT_KEEP_DAYS,
  smtp: url === undefined ? undefined : { url, from: from ?? `no-reply@${new URL(publicUrl).hostname}` },
});

type ConsoleSettings = Pick<EdgeConfig, 'SESSION_LIFE' | 'SESSION_IDLE' | 'STEP_UP_FOR' | 'AUDIT_KEEP_DAYS' | 'SMTP_URL' | 'MAIL_FROM'>;

/** Settings of the edge where it runs in one process with the services. */
export class EdgeConfig {
  @HostsSetting()
  HOSTS: Hosts;

  @RequireHttps()
  REQUIRE_HTTPS: boolean;

  @TrustedProxies()
  TRUSTED_PROXIES: string[];

  @SessionLife()
  SESSION_LIFE: number;

  @SessionIdle()
  SESSION_IDLE: number;

  @StepUpFor()
  STEP_UP_FOR: number;

  @AuditKeepDays()
  AUDIT_KEEP_DAYS: number;

  @SmtpUrl()
  SMTP_URL?: string;

  @MailFrom()
  MAIL_FROM?: string;
}
