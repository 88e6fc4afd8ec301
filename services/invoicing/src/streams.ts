import { accountIn, nextTurn, type Env, type Turn } from '@svc/kernel';

/** `<category>-<env>.<account>.<id>`: a wrong tenant names a stream that does not exist. */
export const streamOf = (category: string, env: Env, account: string, id: string): string => `${category}-${env}.${account}.${id}`;

/** The category ends at the first `-`. */
export const categoryOf = (stream: string): string => stream.slice(0, stream.indexOf('-'));

/** The resource's id: what stands behind environment and account. */
export function idOf(stream: string): string {
  const env = stream.indexOf('.');
  return stream.slice(stream.indexOf('.', env + 1) + 1);
}

/** Of the account whose stream it is, in rotation with others. */
export const turnOf =
  (stream: string): Turn =>
  () =>
    nextTurn(accountIn(stream));
