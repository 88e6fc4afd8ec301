import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openAccount } from '../accounts.ts';
import { commandsOf, runInShell, sendRequests } from '../readme.ts';
import type { Shared } from './shared-system.ts';

/** The first documents of README.md and of the pages that it names, each by an account of its own. */
export function testReadme(shared: () => Shared): void {
  const registered = { status: 'submitted', fiscal_code: expect.any(String) };

  test('an invoice by its three commands, with the ids of the answers', async () => {
    const { system } = shared();
    const { testKey } = await openAccount(system, 'Reader');
    const { host } = new URL(system.url);
    const run = (command: string, ...[placeholder, id]: string[]) =>
      runInShell(
        `KEY=${testKey}\n${(placeholder ? command.replace(placeholder, String(id)) : command).replaceAll('localhost:3000', host)}`,
      );
    const commands = commandsOf('README.md', 'The first invoice').split(/^(?=curl)/m);
    const [toCustomer = '', toInvoice = '', toSubmit = ''] = commands.map((command) => command.replace(/^curl/, 'curl -s'));
    expect(commands).toHaveLength(3);
    const { id: customer } = JSON.parse(run(toCustomer)) as { id: string };
    const { id: invoice } = JSON.parse(run(toInvoice, 'cust_…', customer)) as { id: string };
    expect(JSON.parse(run(toSubmit, 'inv_…', invoice))).toMatchObject({ ...registered, number: expect.any(String), total: 120.6 });
  });

  test('the requests of requests.http, in their order', async () => {
    const { system } = shared();
    const { testKey } = await openAccount(system, 'Editor');
    const answers = await sendRequests(`${system.url}/v1`, testKey);
    expect(answers.filter(({ status }) => status >= 300)).toEqual([]);
    const of = (start: string) => answers.find(({ title }) => title.startsWith(start))?.body;
    expect(of('It is registered with')).toMatchObject({ ...registered, total: 120.6 });
    expect(of('What is left')).toMatchObject({ amount_due: 40.3 });
    expect(of('A receipt')).toMatchObject({ total: 3.5, fiscal_code: expect.any(String) });
    expect(of('All invoices')).toMatchObject({ meta: { total: 2 } });
  });

  test('the commands of docs/first-steps.md: an invoice with its PDF, a payment, a credit note, a receipt', async () => {
    const { system } = shared();
    const { test: call, testKey } = await openAccount(system, 'Reader');
    const commands = commandsOf('docs/first-steps.md', 'PDF and UBL', 'A payment, a credit note, a receipt');
    const { host } = new URL(system.url);
    const folder = mkdtempSync(join(tmpdir(), 'readme-'));
    const output = runInShell(`cd ${folder}\n${commands.replace('svc_test_…', testKey).replaceAll('localhost:3000', host)}`);
    expect(output).not.toContain('"error":{');
    for (const line of [/^"number":"INV-\d{4}-000001"$/m, /^"total":120\.6$/m, /^"fiscal_code":"[^"]+"$/m]) expect(output).toMatch(line);
    expect(readFileSync(join(folder, 'invoice.pdf'), 'latin1')).toMatch(/^%PDF-1\.[^]*%%EOF\s*$/);
    rmSync(folder, { recursive: true });
    const listed = async (path: string): Promise<unknown[]> => (await call<{ data: unknown[] }>('GET', path)).body.data;
    expect(await listed('/invoices')).toEqual([
      expect.objectContaining({ ...registered, type: 'credit_note', total: 60.3, number: expect.stringMatching(/^CN-\d{4}-000001$/) }),
      expect.objectContaining({ ...registered, total: 120.6, amount_paid: 20, amount_credited: 60.3, amount_due: 40.3 }),
    ]);
    expect(await listed('/receipts')).toEqual([expect.objectContaining({ total: 3.5, fiscal_code: expect.any(String) })]);
  });
}
