import { invalid } from '@svc/kernel';
import type { FastifyRequest } from 'fastify';
import type { FormOf, Forms } from '../forms/forms.ts';
import type { ConsoleHandlers } from './handlers.ts';
import { sessionOf } from './session-of.ts';

export function formsHandlers(forms: Forms) {
  return {
    'GET /console/forms/{name}': (request) => forms.read(ofRequest(request)),
    async 'PUT /console/forms/{name}'(request) {
      const content = sentBy(request);
      await forms.keep(ofRequest(request), content);
      return content;
    },
    async 'DELETE /console/forms/{name}'(request) {
      await forms.remove(ofRequest(request));
      return { done: true };
    },
  } satisfies Partial<ConsoleHandlers>;
}

const ofRequest = (request: FastifyRequest<{ Params: { name: string } }>): FormOf => ({
  account: request.identity.account,
  member: sessionOf(request).member._id,
  env: request.identity.env,
  name: request.params.name,
});

/** As it was sent: other bodies have their texts trimmed. It was parsed already, so it is JSON. */
function sentBy({ rawBody }: FastifyRequest): object {
  const text = rawBody?.toString('utf8').replace(/^\uFEFF/, '') ?? '';
  const content: unknown = text === '' ? undefined : JSON.parse(text);
  if (typeof content !== 'object' || content === null || Array.isArray(content)) throw invalid({ body: ['Send a JSON object.'] });
  return content;
}
