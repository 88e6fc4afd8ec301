import { SimulatorConfig } from '@svc/authority-simulator/config';
import { FiscalSubmissionConfig } from '@svc/fiscal-submission/config';
import { GatewayConfig } from '@svc/gateway/gateway-config';
import { InvoicingConfig } from '@svc/invoicing/config';
import { settingsOf, type Setting } from '@svc/service/config/setting';
import { ServiceConfig } from '@svc/service/process/config';
import { WebhooksConfig } from '@svc/webhooks-dispatcher/config';

const classes: Record<string, new () => object> = {
  gateway: GatewayConfig,
  invoicing: InvoicingConfig,
  'fiscal-submission': FiscalSubmissionConfig,
  'webhooks-dispatcher': WebhooksConfig,
  reporting: ServiceConfig,
  'authority-simulator': SimulatorConfig,
};

/** The settings of a service, as its program reads them. */
export const settingsOfChart = (chart: string): readonly Setting[] => settingsOf(classes[chart] as new () => object);

/** Settings that are made of what the ingress says. */
const fromIngress: Record<string, string> = { HOSTS: 'ingress.hosts', TRUSTED_PROXIES: 'ingress.trustedProxies' };

/** Where a setting is in the values: LOG_LEVEL is `settings.logLevel`. */
export function valueOf({ name, secret, development }: Setting): string {
  const key = name.toLowerCase().replace(/_([a-z\d])/g, (_, letter: string) => letter.toUpperCase());
  if (fromIngress[name]) return fromIngress[name];
  return `${secret ? 'existingSecret.keys' : development ? 'development' : 'settings'}.${key}`;
}
