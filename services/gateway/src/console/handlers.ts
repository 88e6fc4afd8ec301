import type { ConsoleAnswerOf, ConsoleBodyOf, ConsoleQueryOf, ConsoleRouteName } from '@svc/contracts/console/routes';
import type { ParamsOf } from '@svc/contracts/routes';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { SessionsContext } from '../sessions/context.ts';
import type { Cookies } from '../sessions/cookies.ts';

/** What the handlers of sessions, users, members and keys work with. */
export interface ConsoleContext extends SessionsContext {
  cookies: Cookies;
  addressOf(request: FastifyRequest): string;
}

/** A validated request of the dashboard. */
export type ConsoleRequest<Name extends ConsoleRouteName> = FastifyRequest<{
  Body: ConsoleBodyOf<Name>;
  Querystring: ConsoleQueryOf<Name>;
  Params: ParamsOf<Name>;
}>;

export type ConsoleHandler<Name extends ConsoleRouteName> = (
  request: ConsoleRequest<Name>,
  reply: FastifyReply,
) => ConsoleAnswerOf<Name> | Promise<ConsoleAnswerOf<Name>>;

export type ConsoleHandlers = { [Name in ConsoleRouteName]: ConsoleHandler<Name> };
