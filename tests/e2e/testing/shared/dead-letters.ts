import { OPS_TOKEN as TOKEN, type Shared } from './shared-system.ts';

const NONE = { redriven: 0, failed: 0, left: 0 };
const call = async (origin: string, path: string, token: string, init: RequestInit = {}) => {
  const headers = { authorization: `Bearer ${token}`, ...(init.body ? { 'content-type': 'application/json' } : {}) };
  const answer = await fetch(`${origin}${path}`, { ...init, headers });
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
};
const redrive = (origin: string, group: string) =>
  call(origin, '/admin/dead-letters/redrive', TOKEN, { method: 'POST', body: JSON.stringify({ group }) });

/** What operators reach of the dead letters at the operators' ports. */
export function testDeadLetters(shared: () => Shared): void {
  let system: Shared['system'];
  beforeAll(() => {
    system = shared().system;
  });

  test('serves the dead letters of every group and publisher at its service’s operators’ port; in one process all at one port', async () => {
    const served = async (group: string): Promise<boolean> => {
      const answers = await Promise.all(system.allOps().map((origin) => redrive(origin, group)));
      for (const { status, body } of answers)
        expect([status, status === 200 ? body : {}]).toEqual(status === 404 ? [404, {}] : [200, NONE]);
      return answers.some(({ status }) => status === 200);
    };
    for (const group of ['reporting.r2', 'webhooks-dispatcher', 'invoicing', 'fiscal-submission', 'gateway'])
      expect([group, await served(group)]).toEqual([group, true]);
    for (const group of ['invoicing.publishing', 'fiscal-submission.publishing'])
      expect([group, await served(group)]).toEqual([group, true]);
    for (const origin of system.allOps()) {
      expect(await call(origin, '/admin/dead-letters?limit=100', TOKEN)).toEqual({ status: 200, body: { data: [], next: null } });
      expect((await call(origin, '/admin/dead-letters', system.setup.admin_token)).status).toBe(401);
    }
  });

  test('serves the account routes of /admin beside it, with a token of their own', async () => {
    const open = (token: string) =>
      call(system.ops, '/admin/accounts', token, { method: 'POST', body: JSON.stringify({ name: 'Ana', plan: 'free' }) });
    expect((await open(TOKEN)).status).toBe(401);
    expect((await open(system.setup.admin_token)).status).toBe(201);
  });
}
