import { admin, type AdminCommand } from './run-admin.ts';

const command = (name: string, options: Record<string, string> = {}): AdminCommand => ({
  name,
  about: `About ${name}.`,
  options,
  run: async (given) => ({ name, given }),
});
const commands = [command('keys create', { account: 'ACCOUNT' }), command('keys'), command('drop')];
const run = (line: string): Promise<unknown> => admin(commands, line.split(' '));

describe('svc admin', () => {
  test('runs the command that the first words name, with its options', async () => {
    expect(await run('admin keys create --account acct_1')).toEqual({ name: 'keys create', given: { account: 'acct_1' } });
    expect(await run('admin drop')).toEqual({ name: 'drop', given: {} });
  });

  test.each(['admin', 'admin --help', 'admin keys create --help', '--help'])('%s lists all commands with their options', async (line) => {
    const text = await run(line);
    expect(text).toContain('svc admin keys create [--account ACCOUNT]\n    About keys create.');
    expect(text).toContain('svc admin drop\n    About drop.');
  });

  test('rejects unknown commands and options', async () => {
    await expect(run('admin launch')).rejects.toThrow('no such command: launch');
    await expect(run('admin drop --all yes')).rejects.toThrow(/--all/);
  });
});
