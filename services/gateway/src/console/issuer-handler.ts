import type { Setup } from '@svc/contracts/issuer/setup';
import { authoritiesOf, type Rounding } from '@svc/contracts/issuer/vocabulary';
import type { FastifyRequest } from 'fastify';
import { unavailable } from '../principals/inside/unavailable.ts';
import type { Ask } from './ask.ts';
import type { ConsoleHandlers } from './handlers.ts';
import { reader } from './setup-handler.ts';

export interface Issuer {
  updated_at: string;
  setup: Setup;
  time_zone: string;
  currency: string;
  prices_include_tax: boolean;
  rounding: Rounding;
  default_tax_rate: number | null;
  units: { code: string; devices?: string[] }[];
}

/** What every member works by: cashiers and viewers may not read the settings of the issuer. */
export function issuerHandler(ask: Ask) {
  return {
    async 'GET /console/issuer'(request) {
      const { time_zone, currency, prices_include_tax, rounding, default_tax_rate, units } = await issuerOf(ask, request);
      return {
        ...{ time_zone, currency, prices_include_tax, rounding, default_tax_rate },
        authorities: [...authoritiesOf(request.identity.livemode)],
        units: units.map(({ code, devices = [] }) => ({ code, devices })),
      };
    },
  } satisfies Partial<ConsoleHandlers>;
}

/** The issuer of the request's environment, read for the gateway itself. Throws service_unavailable. */
export async function issuerOf(ask: Ask, request: FastifyRequest): Promise<Issuer> {
  const { requestContext } = request;
  if (!requestContext) throw new Error('a request without a principal asks');
  const { status, body } = await ask<Issuer>(request, '/issuer', {}, reader(requestContext.principal));
  if (status !== 200) throw unavailable();
  return body;
}
