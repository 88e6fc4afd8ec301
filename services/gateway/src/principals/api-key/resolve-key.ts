import type { FastifyRequest } from 'fastify';
import type { Resolver } from '../resolver.ts';
import { credentialOf, type Hosts, hostTakes, keyProblemOf } from './credential.ts';
import { invalidKey } from './invalid-key.ts';
import type { KeyPrincipal, KeyRecognizer } from './recognize.ts';

/** The principal of the API key in `Authorization: Bearer` or `X-API-Key`. `hosts`: those that take one kind of key alone. */
export function keyResolver(keys: KeyRecognizer, hosts: Hosts): Resolver {
  const taken = (request: FastifyRequest, principal: KeyPrincipal | null): KeyPrincipal | null => {
    if (principal === null || !hostTakes(hosts, request.headers.host, principal.env)) return null;
    keys.noteUse(principal);
    return principal;
  };
  return {
    resolve(request) {
      const credential = credentialOf(request.headers);
      const found = 'value' in credential ? keys.recognize(credential.value) : null;
      return found instanceof Promise ? found.then((principal) => taken(request, principal)) : taken(request, found);
    },
    refusal({ headers }) {
      const credential = credentialOf(headers);
      const problem = 'value' in credential ? keyProblemOf(credential.value, hosts, headers.host) : credential.problem;
      return { error: invalidKey(problem), challenge: 'Bearer' };
    },
  };
}
