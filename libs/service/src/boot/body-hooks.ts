import type { FastifyInstance, onSendHookHandler, preParsingHookHandler } from 'fastify';

/** Adds hooks to the routes whose requests may have bodies; reads, which are most requests, do not pay for them. Call it before routes are added. */
export function addBodyHooks(fastify: FastifyInstance, hooks: { preParsing?: preParsingHookHandler; onSend?: onSendHookHandler }): void {
  fastify.addHook('onRoute', (route) => {
    if ([route.method].flat().every((method) => method === 'GET' || method === 'HEAD')) return;
    if (hooks.preParsing) route.preParsing = [...[route.preParsing ?? []].flat(), hooks.preParsing];
    if (hooks.onSend) route.onSend = [...[route.onSend ?? []].flat(), hooks.onSend];
  });
}
