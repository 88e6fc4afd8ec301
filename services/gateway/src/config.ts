import { IsFlag, IsHosts, IsList, Setting } from '@svc/service-kit';
import { ValidateBy } from 'class-validator';
import type { Hosts } from './edge/hosts.ts';
import { isProxyEntry } from './edge/proxies.ts';

const PROXIES = 'addresses, networks such as 10.0.0.0/8, or loopback';

const AreProxies = (): PropertyDecorator =>
  ValidateBy({
    name: 'areProxies',
    validator: { validate: (value) => Array.isArray(value) && value.every(isProxyEntry), defaultMessage: () => PROXIES },
  }) as PropertyDecorator;

/** What the edge can be told by the environment. */
export class EdgeConfig {
  @Setting({ description: 'hosts that take one kind of key alone; others take both', default: '' })
  @IsHosts()
  HOSTS: Hosts;

  @Setting({ description: 'refuse requests that a trusted proxy says came by http', default: false })
  @IsFlag()
  REQUIRE_HTTPS: boolean;

  @Setting({ description: 'proxies that may say X-Forwarded-Proto and X-Forwarded-For', default: 'loopback' })
  @IsList('entries')
  @AreProxies()
  TRUSTED_PROXIES: string[];
}
