import type { RouteName } from '@svc/contracts/routes';
import { permissionError } from '@svc/service';
import type { FastifyRequest } from 'fastify';
import { isAmong } from '../../keys/address-ranges.ts';
import type { Resolver } from '../resolver.ts';
import { credentialOf, type Hosts, hostTakes, keyProblemOf } from './credential.ts';
import { invalidKey } from './invalid-key.ts';
import type { KeyPrincipal } from './key-principal.ts';
import type { KeyRecognizer } from './recognize.ts';

export interface KeyResolverOptions {
  keys: KeyRecognizer;
  hosts: Hosts;
  addressOf(request: FastifyRequest): string;
}

/** The principal of the API key in `Authorization: Bearer` or `X-API-Key`. `hosts`: those that take one kind of key alone. A key from an address that it does not allow is unknown. */
export function keyResolver({ keys, hosts, addressOf }: KeyResolverOptions): Resolver {
  const taken = (request: FastifyRequest, principal: KeyPrincipal | null): KeyPrincipal | null => {
    if (principal === null || !hostTakes(hosts, request.headers.host, principal.env)) return null;
    const address = addressOf(request);
    if (principal.allows && !isAmong(principal.allows, address)) return null;
    keys.noteUse(principal, address);
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
    forbids: (_request, { permissions }, { name }) => permissionError(name as RouteName, permissions),
  };
}
