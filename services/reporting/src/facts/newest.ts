import type { Env } from '@svc/kernel';
import type { Fact, Facts } from './fact.ts';

/** The tenant's last fact in the order of that field; undefined when there is none. */
export async function newestBy(field: 'issued_on' | 'changed_at', facts: Facts, account: string, env: Env): Promise<Fact | undefined> {
  const [newest] = await Array.fromAsync(facts.find({ account, env }, { sort: { [field]: -1, _id: -1 }, limit: 1 }));
  return newest;
}
