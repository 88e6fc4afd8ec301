import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { systemClock, FakeClock, type Clock } from '@svc/kernel';
import { until } from '@svc/kernel/testing/until';
import { createLogger } from '@svc/service';
import { createCertificateReader, type CertificateReader } from './certificate-reader.ts';
import { frozenFile, mostIterations, newFile } from './testing/files.ts';

let reader: CertificateReader;
afterEach(() => reader.close());

const logged: { msg: string }[] = [];
const logger = createLogger({ level: 'info', service: 'test' }, { write: (line) => logged.push(JSON.parse(line) as { msg: string }) });
const fake = new FakeClock();
const file = (passphrase: string) => ({ certificate: '', passphrase });
/** A program that starts, and then ends, hangs, works in native code or answers, as the passphrase says. */
const program = join(mkdtempSync(join(tmpdir(), 'reader-')), 'program.mjs');
writeFileSync(
  program,
  `import { pbkdf2Sync } from 'node:crypto';
   process.once('message', ({ passphrase }) => {
     if (passphrase === 'exit') process.exit(3);
     if (passphrase === 'hang') for (;;);
     if (passphrase === 'native') pbkdf2Sync('', '', 2 ** 31 - 1, 64, 'sha512');
     process.send({ subject: passphrase });
   });
   process.send('started');`,
);
const silent = join(program, '../silent.mjs');
writeFileSync(silent, 'setInterval(() => undefined, 1_000);');
const absent = join(program, '../absent.mjs');
afterAll(() => rmSync(join(program, '..'), { recursive: true }));
const refused = { code: 'validation_error', details: { certificate: [expect.stringContaining('takes too long')] } };
const unavailable = { code: 'service_unavailable', retryAfter: 1 };
const open = (clock: Pick<Clock, 'after'> = systemClock, of?: string): void => {
  reader = createCertificateReader({ clock, logger }, of === undefined ? of : pathToFileURL(of));
};

test('the real program reads a file, and says which field is wrong', async () => {
  open();
  expect(await reader.read('a', frozenFile('legacy'))).toMatchObject({ serial: '5A47A3F6455221975E54B6BD54E5F7DE29FC1CC8' });
  const wrong = reader.read('a', { ...frozenFile('legacy'), passphrase: 'x' });
  await expect(wrong).rejects.toMatchObject({
    code: 'validation_error',
    details: { passphrase: ['The passphrase does not open the certificate.'] },
  });
});

test('the real program is killed two seconds after a file that takes longer, and another reads the next', async () => {
  open();
  const [long, next] = [reader.read('a', newFile({ change: mostIterations })), reader.read('b', frozenFile('modern'))];
  await expect(long).rejects.toMatchObject(refused);
  expect(await next).toMatchObject({ subject: expect.stringContaining('C=AL') });
});

test('a process that ends refuses its own file, and the next are read by another', async () => {
  open(systemClock, program);
  const [ended, next] = [reader.read('a', file('exit')), reader.read('b', file('next'))];
  await expect(ended).rejects.toMatchObject(refused);
  expect(await next).toEqual({ subject: 'next' });
});

test('native code, which nothing interrupts, holds up neither the next file nor the end of the service', async () => {
  open(systemClock, program);
  const [native, next] = [reader.read('a', file('native')), reader.read('b', file('next'))];
  await expect(native).rejects.toMatchObject(refused);
  expect(await next).toEqual({ subject: 'next' });
  const last = expect(reader.read('a', file('native'))).rejects.toMatchObject(unavailable);
  await setTimeout(500);
  await reader.close();
  await last;
});

test('a program that does not start is no fault of the file', async () => {
  open(systemClock, absent);
  await expect(reader.read('a', file('read'))).rejects.toMatchObject(unavailable);
  expect(logged).toEqual([expect.objectContaining({ msg: 'the process that reads certificates does not start' })]);
});

/** Whether it was read, or why not. */
const outcome = (account: string, passphrase = 'read'): Promise<string> =>
  reader.read(account, file(passphrase)).then(
    () => 'read',
    ({ code }: { code: string }) => code,
  );

test('one file of an account is read or waits, and who waits for seven seconds is to come again', async () => {
  open(fake, silent);
  const [first, again, waiting] = ['a', 'a', 'b'].map((account) => reader.read(account, file('')));
  const refusals = Promise.all([
    expect(first).rejects.toMatchObject({ ...unavailable, message: expect.stringContaining('could not be read') }),
    expect(again).rejects.toMatchObject({ ...unavailable, message: expect.stringContaining('Another certificate of this account') }),
    expect(waiting).rejects.toMatchObject({ ...unavailable, message: expect.stringContaining('Too many') }),
  ]);
  await fake.advance(10_000);
  await refusals;
});

const why = (account: string): Promise<string> =>
  reader.read(account, file('')).then(
    () => 'read',
    ({ message }: Error) => message,
  );

test('who waited for seven seconds and comes again has kept its turn', async () => {
  open(fake, silent);
  const first = why('a');
  const late = why('b');
  await fake.advance(7_500);
  expect(await late).toContain('Too many');
  const other = why('c');
  const again = why('b');
  await fake.advance(2_500);
  await first;
  await fake.advance(10_000);
  expect(await again).toContain('could not be read'); // the process does not start
  expect(await other).toContain('Too many');
});

test('who comes again within five seconds of its turn is next', async () => {
  open(fake, silent);
  const first = why('a');
  const late = why('b');
  await fake.advance(9_000);
  expect(await late).toContain('Too many');
  const second = why('c');
  await fake.advance(1_000);
  await first;
  await fake.advance(3_500);
  const other = why('d');
  const again = why('b');
  await fake.advance(6_500);
  await second;
  await fake.advance(10_000);
  expect(await again).toContain('could not be read'); // the process does not start
  expect(await other).toContain('Too many');
});

test('an account whose files took less comes before ten that send one after the other', async () => {
  open(systemClock, program);
  const order: string[] = [];
  let isOver = false;
  const sending = async (account: string): Promise<void> => {
    while (!isOver) {
      expect(await outcome(account, 'exit')).toBe('validation_error');
      order.push(account);
    }
  };
  const senders = Array.from({ length: 10 }, (_, n) => sending(`account ${n}`));
  await until(() => order.length >= 15);
  const before = order.length;
  expect(await outcome('victim')).toBe('read');
  isOver = true;
  expect(order.length - before).toBeLessThanOrEqual(1);
  await Promise.all(senders);
});

test('files that take long are read when those that do not have been, also of accounts that came first', async () => {
  open(systemClock, program);
  const order: string[] = [];
  const send = (account: string, passphrase: string) => outcome(account, passphrase).then((what) => order.push(`${account} ${what}`));
  const long = ['a', 'b', 'c'].map((account) => send(account, 'native'));
  await Promise.all([...long, send('victim', 'read')]);
  expect(order[0]).toBe('victim read');
  expect(order.filter((one) => one.endsWith('validation_error')).length).toBeGreaterThanOrEqual(2); // the last may wait for too long
});

test('short files of accounts that have sent many come before long ones of others', async () => {
  open(systemClock, program);
  const order: string[] = [];
  const long = ['a', 'b', 'c'].map((account) => outcome(account, 'native').then(() => order.push('long')));
  const sending = ['d', 'e'].map(async (account) => {
    for (let n = 0; n < 10; n += 1) {
      expect(await outcome(account)).toBe('read');
      order.push('short');
    }
  });
  await Promise.all(sending);
  expect(order.filter((one) => one === 'long').length).toBeLessThanOrEqual(1);
  await Promise.all(long);
});

test('closing answers those who wait', async () => {
  open(fake, program);
  const waiting = ['hang', 'next'].map((what) => expect(reader.read(what, file(what))).rejects.toMatchObject(unavailable));
  await reader.close();
  await Promise.all(waiting);
});
