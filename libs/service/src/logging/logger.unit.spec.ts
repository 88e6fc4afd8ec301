import { createLogger } from './logger.ts';

describe('the log', () => {
  test('is JSON lines with time, level and service', () => {
    const lines: string[] = [];
    createLogger({ level: 'info', service: 'invoicing' }, { write: (line) => void lines.push(line) }).info(
      { account: 'acct_1' },
      'started',
    );
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({
      level: 30,
      service: 'invoicing',
      account: 'acct_1',
      msg: 'started',
      time: expect.stringMatching(/^\d{4}-.*Z$/),
    });
  });

  test('never shows secrets, at the top or below', () => {
    const lines: string[] = [];
    const logger = createLogger({ level: 'info', service: 'x' }, { write: (line) => void lines.push(line) });
    const secret = {
      authorization: 'Bearer hunter2',
      'x-api-key': 'hunter2',
      secret: 'hunter2',
      passphrase: 'hunter2',
      personal: { name: 'hunter2' },
    };
    logger.info(secret, 'top');
    logger.info({ headers: secret }, 'one below');
    logger.info({ request: { headers: secret } }, 'two below');
    logger.child(secret).info('child');
    logger.error({ err: Object.assign(new Error('x'), { request: { headers: secret } }) }, 'error');
    logger.info({ tries: [{ headers: secret }], deep: { a: { b: { c: { d: secret } } } } }, 'in a list, and far below');
    expect(lines).toHaveLength(6);
    expect(lines[4]).toContain('"message":"x"');
    expect(lines.join('')).not.toContain('hunter2');
  });

  test('keeps to its level', () => {
    const lines: string[] = [];
    createLogger({ level: 'warn', service: 'x' }, { write: (line) => void lines.push(line) }).info('quiet');
    expect(lines).toEqual([]);
  });
});
