import type { IssuerResource } from '@svc/contracts/issuer/resource';
import { jsonNumber } from '@svc/kernel';
import { shownDevice, tillsOf } from './domain/devices.ts';
import { setupOf, type Surroundings } from './domain/setup.ts';
import type { IssuerState } from './domain/state.ts';

/** The issuer as the API returns it; before it is stored it has version 1. */
export function issuerResource(state: IssuerState, version: number, around: Surroundings): IssuerResource {
  const { id, livemode, default_tax_rate: rate, metadata, created_at, updated_at, devices: _, ...fields } = state;
  return {
    id,
    object: 'issuer',
    livemode,
    ...fields,
    devices: tillsOf(state).map(shownDevice),
    default_tax_rate: jsonNumber(rate),
    metadata,
    created_at,
    updated_at,
    version: Math.max(version, 1),
    setup: setupOf(state, around),
  };
}
