import { readFileSync, writeFileSync } from 'node:fs';
import { client, eventually, startSystem } from '@svc/testkit';
import { HUGE } from './testing/accounts.ts';
import { NUMBERING, openCertificateFiles, type Certificate } from './testing/certificate.ts';
import { OPS_TOKEN } from './testing/shared/shared-system.ts';

const files = openCertificateFiles();
afterAll(files.remove);
const { certificate, exported, verify } = files;
const receipt = (n: number) => ({ items: [{ description: `Coffee ${n}`, unit_price: 2.5, tax_rate: 10 }], payment_method: 'cash' });

test('a certificate of numbers that were taken before and after kill -9 verifies offline against the export of the series; a changed one does not', async () => {
  let system = await startSystem({ OPS_TOKEN });
  const { body: account } = await client(`${system.ops}/admin`, system.setup.admin_token)<{ id: string; test_key: string }>(
    'POST',
    '/accounts',
    { body: { name: 'Shop', plan: 'enterprise', limits: HUGE } },
  );
  const call = client(`${system.url}/v1`, account.test_key);
  const taken = Array.from({ length: 120 }, (_, n) => call('POST', '/receipts', { body: receipt(n) }).catch(() => undefined));
  await Promise.race(taken);
  await system.kill('SIGKILL');
  await Promise.all(taken);
  system = await system.restart();
  const later = await Promise.all(Array.from({ length: 40 }, (_, n) => call('POST', '/receipts', { body: receipt(200 + n) })));
  expect(later.filter(({ status }) => status !== 201)).toEqual([]);

  const { body } = await eventually(async () => {
    const answer = await call<Certificate>('GET', NUMBERING);
    return answer.status === 200 && answer.body.complete && answer.body.open.documents === 0 && answer.body.meta.total > 40
      ? answer
      : undefined;
  }, 'an outcome of every number');
  const { body: file } = await call<{ url: string }>('GET', `${NUMBERING}&format=csv`);
  await files.save(file.url);
  await files.exportNumbers(system, account.id);
  const lines = readFileSync(exported, 'utf8');

  const verified = await verify();
  expect(verified).toEqual({ code: 0, output: expect.stringContaining(`sha256 ${body.sha256}`) });
  expect(verified.output).toContain(`${body.meta.total} numbers`);

  const [header, ...rows] = readFileSync(certificate, 'utf8').split('\r\n');
  writeFileSync(certificate, [header, ...rows.filter((_, n) => n !== 10)].join('\r\n'));
  expect(await verify()).toEqual({ code: 1, output: expect.stringContaining('is not in the certificate') });
  writeFileSync(certificate, [header, ...rows].join('\r\n'));
  writeFileSync(exported, lines.split('\n').slice(0, -2).join('\n'));
  expect(await verify()).toEqual({ code: 1, output: expect.stringContaining('not all of its lines') });
  await system.stop();
}, 240_000);
