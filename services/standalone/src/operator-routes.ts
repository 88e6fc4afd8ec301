import { chainRoutes, submissionRoutes, type ChainContext, type SubmissionContext } from '@svc/fiscal-submission';
import { adminRoutes } from '@svc/gateway';
import { documentRoutes, seriesRoutes, type SeriesContext } from '@svc/invoicing';
import type { EventBus } from '@svc/event-bus';
import type { Clock, Ids } from '@svc/kernel';
import { onlyBearer, type AddRoutes, type Logger, type OperatorTokens } from '@svc/service';
import { deadLetterRoutes } from '@svc/service/dead-letters/admin-routes';
import { secretRoutes, type SecretRoutesContext } from '@svc/service/reencryption/admin-routes';
import { webhookRoutes } from '@svc/webhooks-dispatcher';
import { backupRoutes, type Backups } from './backup.ts';

export interface OperatorRoutesContext extends Pick<SecretRoutesContext, 'encrypted' | 'keys'> {
  accounts: Parameters<typeof adminRoutes>[0];
  bus: EventBus;
  series: SeriesContext;
  chains: ChainContext;
  submissions: SubmissionContext;
  webhooks: Parameters<typeof webhookRoutes>[0];
  /** undefined: the data is on servers, which have backups of their own. */
  backUp: Backups | undefined;
  /** `ADMIN_TOKEN` and `ADMIN_TOKENS`. */
  tokens: OperatorTokens;
  /** `OPS_TOKEN`; undefined: what needs it is answered with 403. */
  opsToken: string | undefined;
  clock: Clock;
  ids: Ids;
  logger: Logger;
}

/** `/admin/*` of the operators' port of the one process, which are those of all services. */
export function operatorRoutes(context: OperatorRoutesContext): AddRoutes[] {
  const { accounts, bus, series, chains, submissions, webhooks, encrypted, keys, backUp, tokens, opsToken, clock, ids, logger } = context;
  const onRequest = onlyBearer('ADMIN_TOKEN', tokens.token, tokens.named, clock);
  return [
    adminRoutes(accounts, tokens),
    deadLetterRoutes({ bus, source: 'gateway', clock, ids }, opsToken),
    seriesRoutes(series, opsToken),
    documentRoutes(series, bus, opsToken),
    chainRoutes(chains, opsToken),
    submissionRoutes(submissions, opsToken),
    webhookRoutes(webhooks, opsToken),
    secretRoutes({ encrypted, ...(keys && { keys }), onRequest, logger }),
    ...(backUp ? [backupRoutes({ backUp, clock, logger }, tokens)] : []),
  ];
}
