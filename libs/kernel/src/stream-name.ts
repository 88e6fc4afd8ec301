import type { Env } from './stream.ts';
import { nextTurn, type Turn } from './turns.ts';

/** `<category>-<env>.<account>.<id>`. The name contains the tenant, so an id of another tenant names a stream that does not exist. */
export const streamOf = (category: string, env: Env, account: string, id: string): string => `${category}-${env}.${account}.${id}`;

/** The category ends at the first `-`. */
export const categoryOf = (stream: string): string => stream.slice(0, stream.indexOf('-'));

/** The account that owns the stream. */
export const accountIn = (stream: string): string => stream.split('.', 2)[1] ?? '';

/** The resource's id: the part after environment and account. */
export function idOf(stream: string): string {
  const env = stream.indexOf('.');
  return stream.slice(stream.indexOf('.', env + 1) + 1);
}

/** The turn of the account that owns the stream, in rotation with other accounts. */
export const turnOf =
  (stream: string): Turn =>
  () =>
    nextTurn(accountIn(stream));
