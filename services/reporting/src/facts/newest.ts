import type { Env } from '@svc/kernel';
import type { Fact, Facts } from './fact.ts';

/** The fact that comes last by that field; undefined where the account has none in that environment. */
export async function newestBy(field: 'issued_on' | 'changed_at', facts: Facts, account: string, env: Env): Promise<Fact | undefined> {
  const [newest] = await Array.fromAsync(facts.find({ account, env }, { sort: { [field]: -1, _id: -1 }, limit: 1 }));
  return newest;
}
