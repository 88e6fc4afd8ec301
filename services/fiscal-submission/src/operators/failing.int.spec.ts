import { systemClock } from '@svc/kernel';
import { until } from '@svc/kernel/testing/until';
import { createLogger, Health, register, startOps, type Ops } from '@svc/service';
import { admin } from '@svc/service/admin/run-admin';
import { openIssuer } from '../authorities/es-verifactu/testing/issuer.ts';
import { outgoingHttp } from '../sending/http.ts';
import { SimulatorProcess } from '../testing/simulator-process.ts';
import { submissionCommands } from './admin-commands.ts';
import { submissionRoutes } from './admin-routes.ts';

const TOKEN = 'operators-token-of-thirty-two-characters';
const outgoing = outgoingHttp(systemClock);
let simulator: SimulatorProcess;
let issuer: ReturnType<typeof openIssuer>;
let ops: Ops;
beforeAll(async () => {
  simulator = await SimulatorProcess.start('es-verifactu');
  issuer = openIssuer(simulator, outgoing.http);
  const { context, worker, noteAction: note } = issuer.system.fiscal;
  const logger = createLogger({ level: 'silent', service: 'test' });
  ops = await startOps({
    host: '127.0.0.1',
    port: 0,
    health: new Health(),
    logger,
    admin: submissionRoutes({ context, worker, note }, TOKEN),
  });
  process.env['OPS_PORT'] = String(ops.port);
  process.env['OPS_TOKEN'] = TOKEN;
});
afterAll(async () => {
  delete process.env['OPS_TOKEN'];
  await ops.close();
  await issuer.system.close();
  await outgoing.close();
  await simulator.stop();
});

const svc = (...words: string[]) => admin(submissionCommands, ['admin', 'submissions', ...words]);
const failing = () => svc('list', '--failing', 'true', '--livemode', 'false') as Promise<{ data: object[]; total: number }>;
const measured = async (): Promise<number> => {
  const text = await register.getSingleMetricAsString('svc_submissions_failing');
  return Number(/^svc_submissions_failing\{authority="es-verifactu",env="test"\} (.+)$/m.exec(text)?.[1]);
};

/** A call about it may be under way: then the command is repeated, as its error says. */
async function givenUp(id: string): Promise<unknown> {
  for (let tries = 1; ; tries += 1) {
    const done = await svc('give-up', '--id', id).catch((error: unknown) => (tries === 50 ? Promise.reject(error) : undefined));
    if (done) return done;
    await systemClock.sleep(20);
  }
}

test('one issuer’s record at which the authority fails each time is counted and listed, and what is behind it goes on once it is given up', async () => {
  const { system, requested } = issuer;
  const [bad, behind] = [requested(), requested()];
  const { data } = bad;
  const of = { authority: 'es-verifactu', operation: 'RegFactuSistemaFacturacion', times: 1_000 };
  await simulator.operate('/faults', { ...of, fault: 'fault_client:4103', tax_id: data.issuer.tax_id, number: data.number });
  await system.consumer.on([bad, behind]);
  await until(async () => (await failing()).total > 0);
  expect(await failing()).toEqual({
    data: [
      expect.objectContaining({
        ...{ document_id: bad.subject, account: system.account, authority: 'es-verifactu', waits_for: 'authority' },
        failing: { code: '4103', since: expect.stringMatching(/Z$/) },
      }),
    ],
    total: 1,
  });
  expect(await measured()).toBe(1);
  expect(await svc('list', '--livemode', 'false')).toMatchObject({
    data: [{ document_id: bad.subject, failing: { code: '4103' } }, { failing: null }],
  });
  await expect(svc('give-up', '--id', 'inv_typo')).rejects.toThrow();
  expect(await givenUp(bad.subject)).toEqual({ document_id: bad.subject, done: true });
  expect(await system.until(bad.subject, 'rejected')).toMatchObject({ error: { code: '4103', fixable: 'setup' } });
  await system.until(behind.subject, 'registered');
  await until(async () => (await failing()).total === 0);
  expect(await measured()).toBe(0);
});

test('/give-up needs the operators’ token', async () => {
  const sent = await fetch(`http://127.0.0.1:${ops.port}/admin/submissions/give-up`, { method: 'POST', body: '{"id":"inv_1"}' });
  expect(sent.status).toBe(401);
});
