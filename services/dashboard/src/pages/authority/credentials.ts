import type { QueryClient } from '@tanstack/react-query';
import type { Resource } from '../../api/types.ts';
import { issuerKey } from '../../documents/issuer.ts';
import { setupQuery } from '../../session/setup.ts';

export type Credentials = Resource<'FiscalCredentials'>;

/** Whether another certificate can follow it. */
export const isValid = ({ expires_at: ends }: Credentials): boolean => Date.parse(ends) > Date.now();

export const credentialsKey = (env: string): readonly string[] => [env, 'fiscal-credentials'];

/** Shows the certificates as they are now, null for none, and reads again what depends on them. */
export function showCredentials(queries: QueryClient, env: string, now: Credentials | null): void {
  queries.setQueryData(credentialsKey(env), now);
  void queries.invalidateQueries(setupQuery);
  void queries.invalidateQueries({ queryKey: issuerKey(env) });
}

const CHUNK = 0x8000;

/** A file as base64. */
export async function base64Of(file: Blob): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  let text = '';
  for (let from = 0; from < bytes.length; from += CHUNK) text += String.fromCharCode(...bytes.subarray(from, from + CHUNK));
  return btoa(text);
}
