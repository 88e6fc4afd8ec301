import { callerAddress, trustedProxies } from '../edge/proxies.ts';
import type { Gateway } from '../open-gateway.ts';
import { accountHandlers } from './account-handlers.ts';
import { auditHandler } from './audit-handler.ts';
import type { ConsoleHandlers } from './handlers.ts';
import { keyHandlers } from './key-handlers.ts';
import { meHandlers } from './me-handlers.ts';
import { memberHandlers } from './member-handlers.ts';
import { type ConsoleContext, sessionHandlers } from './session-handlers.ts';
import { usageHandler } from './usage-handler.ts';

/** The handlers of all of the dashboard's own routes. `trusted`: proxies that may say where a request comes from. */
export function consoleHandlers(gateway: Gateway, trusted: readonly string[]): ConsoleHandlers {
  const proxies = trustedProxies(trusted);
  const context: ConsoleContext = { ...gateway.accounts, cookies: gateway.cookies, addressOf: ({ raw }) => callerAddress(proxies, raw) };
  return {
    ...sessionHandlers(context),
    ...meHandlers(context),
    ...accountHandlers(context),
    ...memberHandlers(context),
    ...keyHandlers(context),
    ...auditHandler(context, gateway.audit),
    ...usageHandler(gateway),
  };
}
