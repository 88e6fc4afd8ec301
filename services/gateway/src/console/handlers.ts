import type { ConsoleAnswerOf, ConsoleBodyOf, ConsoleQueryOf, ConsoleRouteName } from '@svc/contracts/console/routes';
import type { ParamsOf } from '@svc/contracts/routes';
import type { FastifyReply, FastifyRequest } from 'fastify';

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

export type ConsoleHandlers<Names extends ConsoleRouteName = ConsoleRouteName> = { [Name in Names]: ConsoleHandler<Name> };
