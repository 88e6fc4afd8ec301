import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openAccount } from '../accounts.ts';
import { commandsOf, runInShell } from '../readme.ts';
import type { Shared } from './shared-system.ts';

/** The first documents of README.md, by an account of their own. */
export function testReadme(shared: () => Shared): void {
  test('an invoice, a payment, a credit note and a receipt by its commands', async () => {
    const { system } = shared();
    const { test: call, testKey } = await openAccount(system, 'Reader');
    const commands = commandsOf('The first invoice', 'A payment, a credit note, a receipt');
    const { host } = new URL(system.url);
    const folder = mkdtempSync(join(tmpdir(), 'readme-'));
    const output = runInShell(`cd ${folder}\n${commands.replace('svc_test_…', testKey).replaceAll('localhost:3000', host)}`);
    expect(output).not.toContain('"error":{');
    for (const line of [/^"number":"INV-\d{4}-000001"$/m, /^"total":120\.6$/m, /^"fiscal_code":"[^"]+"$/m]) expect(output).toMatch(line);
    expect(readFileSync(join(folder, 'invoice.pdf'), 'latin1')).toMatch(/^%PDF-1\.[^]*%%EOF\s*$/);
    rmSync(folder, { recursive: true });
    const listed = async (path: string): Promise<unknown[]> => (await call<{ data: unknown[] }>('GET', path)).body.data;
    const registered = { status: 'submitted', fiscal_code: expect.any(String) };
    expect(await listed('/invoices')).toEqual([
      expect.objectContaining({ ...registered, type: 'credit_note', total: 60.3, number: expect.stringMatching(/^CN-\d{4}-000001$/) }),
      expect.objectContaining({ ...registered, total: 120.6, amount_paid: 20, amount_credited: 60.3, amount_due: 40.3 }),
    ]);
    expect(await listed('/receipts')).toEqual([expect.objectContaining({ total: 3.5, fiscal_code: expect.any(String) })]);
  });
}
