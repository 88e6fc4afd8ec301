import { systemClock, FakeClock, type Clock } from '@svc/kernel';
import { createLogger } from '@svc/service';
import { createCertificateReader, type CertificateReader } from './certificate-reader.ts';
import { frozenFile, manyIterations, newFile } from './testing/files.ts';

let reader: CertificateReader;
afterEach(() => reader.close());

const logged: { msg: string }[] = [];
const logger = createLogger({ level: 'info', service: 'test' }, { write: (line) => logged.push(JSON.parse(line) as { msg: string }) });
const fake = new FakeClock();
const file = (passphrase: string) => ({ certificate: '', passphrase });
/** A worker that starts, and then ends, hangs or answers, as the passphrase says. */
const program = new URL(
  `data:text/javascript,${encodeURIComponent(`
    import { parentPort, workerData } from 'node:worker_threads';
    if (workerData.passphrase === 'absent') process.exit(3);
    parentPort.postMessage('started');
    if (workerData.passphrase === 'exit') process.exit(3);
    if (workerData.passphrase === 'hang') for (;;);
    parentPort.postMessage({ subject: workerData.passphrase });`)}`,
);
const refused = { code: 'validation_error', details: { certificate: [expect.stringContaining('takes too long')] } };
const unavailable = { code: 'service_unavailable', retryAfter: 1 };
const open = (clock: Pick<Clock, 'after'> = systemClock, of?: URL): void => {
  reader = createCertificateReader({ clock, logger }, of);
};

test('the real worker reads a file, and says which field is wrong', async () => {
  open();
  expect(await reader.read('a', frozenFile('legacy'))).toMatchObject({ serial: '5A47A3F6455221975E54B6BD54E5F7DE29FC1CC8' });
  const wrong = reader.read('a', { ...frozenFile('legacy'), passphrase: 'x' });
  await expect(wrong).rejects.toMatchObject({
    code: 'validation_error',
    details: { passphrase: ['The passphrase does not open the certificate.'] },
  });
});

test('the real worker is ended two seconds after a file that takes an hour, and reads the next', async () => {
  open();
  const [long, next] = [reader.read('a', newFile({ change: manyIterations })), reader.read('b', frozenFile('modern'))];
  await expect(long).rejects.toMatchObject(refused);
  expect(await next).toMatchObject({ subject: expect.stringContaining('C=AL') });
});

test('a worker that ends refuses its own file, and the next are read by another', async () => {
  open(systemClock, program);
  const [ended, next] = [reader.read('a', file('exit')), reader.read('b', file('next'))];
  await expect(ended).rejects.toMatchObject(refused);
  expect(await next).toEqual({ subject: 'next' });
});

test('a worker that does not start is no fault of the file', async () => {
  open(systemClock, program);
  await expect(reader.read('a', file('absent'))).rejects.toMatchObject(unavailable);
  expect(logged).toEqual([expect.objectContaining({ msg: 'the worker that reads certificates does not start' })]);
});

test('one file of an account and five in all wait, and others are told to come again', async () => {
  open(fake, program);
  const outcome = (account: string): Promise<unknown> =>
    reader.read(account, file('read')).then(
      () => 'read',
      ({ code }: { code: string }) => code,
    );
  const outcomes = await Promise.all(['a', 'a', 'b', 'c', 'd', 'e', 'f'].map(outcome));
  expect(outcomes).toEqual(['read', 'service_unavailable', 'read', 'read', 'read', 'read', 'service_unavailable']);
  expect(await outcome('a')).toBe('read');
});

test('closing answers those who wait', async () => {
  open(fake, program);
  const waiting = ['hang', 'next'].map((what) => expect(reader.read(what, file(what))).rejects.toMatchObject(unavailable));
  await reader.close();
  await Promise.all(waiting);
});
