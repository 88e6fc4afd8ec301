import { Refused } from './operators-port.ts';
import { admin, type AdminCommand } from './run-admin.ts';

const command = (name: string, options: Record<string, string> = {}): AdminCommand => ({
  name,
  about: `About ${name}.`,
  options,
  run: async (given) => ({ name, given }),
});
const wake: AdminCommand = {
  ...command('wake', { id: 'ID', livemode: 'true|false' }),
  needed: ['id'],
  defaults: { livemode: 'true' },
};
const commands = [command('keys create', { account: 'ACCOUNT' }), command('keys'), command('drop'), wake];
const run = (line: string): Promise<unknown> => admin(commands, line.split(' '));

describe('svc admin', () => {
  test('runs the command that the first words name, with its options', async () => {
    expect(await run('admin keys create --account acct_1')).toEqual({ name: 'keys create', given: { account: 'acct_1' } });
    expect(await run('admin drop')).toEqual({ name: 'drop', given: {} });
  });

  test.each(['admin', 'admin --help', 'admin launch --help', '--help'])('%s lists all commands with their options', async (line) => {
    const text = await run(line);
    expect(text).toContain('svc admin keys create [--account ACCOUNT]\n    About keys create.');
    expect(text).toContain('svc admin drop\n    About drop.');
  });

  test('--help of a command has what it takes: options that have to be given without brackets, and what the others are by default', async () => {
    expect(await run('admin keys create --help')).toBe('svc admin keys create [--account ACCOUNT]\n    About keys create.');
    expect(await run('admin wake --help')).toBe('svc admin wake --id ID [--livemode true|false, by default true]\n    About wake.');
  });

  test('an option that is not given is what it is by default, and one that has to be given is named', async () => {
    expect(await run('admin wake --id inv_1')).toEqual({ name: 'wake', given: { id: 'inv_1', livemode: 'true' } });
    expect(await run('admin wake --id inv_1 --livemode false')).toMatchObject({ given: { livemode: 'false' } });
    await expect(run('admin wake')).rejects.toThrow(/^--id is missing[^]*svc admin wake --id ID/);
    await expect(run('admin wake --id=')).rejects.toThrow('--id is missing');
  });

  test('what was refused names the options that are wrong, and other fields as they are', async () => {
    const refusal = new Refused({ message: 'Wrong.', details: { expires_at: ['It is past.'], 'data.0': ['It is none.'] } });
    const refusing = { ...command('end', { 'expires-at': 'TIME' }), run: () => Promise.reject(refusal) };
    await expect(admin([refusing], ['admin', 'end'])).rejects.toThrow('Wrong.\n--expires-at: It is past.\ndata.0: It is none.');
  });

  test('rejects unknown commands and options, and names the command that may be meant', async () => {
    await expect(run('admin launch')).rejects.toThrow(/no such command: launch\n[^]*svc admin drop/);
    await expect(run('admin drpo --account acct_1')).rejects.toThrow('no such command: drpo. Did you mean svc admin drop?');
    await expect(run('admin drop --all yes')).rejects.toThrow(/--all/);
  });
});
