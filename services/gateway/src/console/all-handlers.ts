import { namesOfActors } from '../actors/actor-names.ts';
import { callerAddress, trustedProxies } from '../edge/addresses.ts';
import type { Gateway } from '../open-gateway.ts';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { fastifyOf } from '@svc/service';
import { accountHandlers, usageHandler } from './account-handlers.ts';
import { createAsk } from './ask.ts';
import { auditHandler, auditOf } from './audit-handler.ts';
import type { ConsoleContext, ConsoleHandlers } from './handlers.ts';
import { exportsHandlers } from './exports-handlers.ts';
import { formsHandlers } from './forms-handlers.ts';
import { issuerHandler } from './issuer-handler.ts';
import { lookingHandlers } from './looking-handlers.ts';
import { requestsHandlers } from './requests-handlers.ts';
import { setupHandler } from './setup-handler.ts';
import { timelineHandler } from './timeline-handler.ts';
import { submissionsHandlers } from './submissions-handlers.ts';
import { todayHandler } from './today-handler.ts';
import { keyHandlers } from './key-handlers.ts';
import { meHandlers } from './me-handlers.ts';
import { memberHandlers } from './member-handlers.ts';
import { sessionHandlers } from './session-handlers.ts';

/** The handlers of all of the dashboard's own routes. `trusted`: proxies that may say where a request comes from. */
export function consoleHandlers(gateway: Gateway, app: NestFastifyApplication, trusted: readonly string[]): ConsoleHandlers {
  const ask = createAsk(fastifyOf(app), gateway.insiders);
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
    ...lookingHandlers(ask, gateway.clock, gateway.endpointHours),
    ...timelineHandler({
      ...{ ask, publicUrl: gateway.consoleOrigin, auditOf: auditOf(context, gateway.audit) },
      namesOf: (account, ids) => namesOfActors(context, account, ids),
    }),
    ...issuerHandler(ask),
    ...todayHandler(context, ask),
    ...setupHandler({ ask, clock: gateway.clock, addressOf: context.addressOf }),
    ...formsHandlers(gateway.forms),
    ...exportsHandlers({
      context,
      rows: gateway.exports,
      links: gateway.exportLinks,
      waker: gateway.wakers.exports,
      ask,
      clock: gateway.clock,
    }),
    ...submissionsHandlers({ context, rows: gateway.submissions, waker: gateway.wakers.submissions, ask, clock: gateway.clock }),
    ...requestsHandlers({ context, rows: gateway.refused, ask, publicUrl: gateway.consoleOrigin }),
  };
}
