import { FakeClock } from '@svc/kernel';
import { createLogger } from '@svc/service';
import { documents } from './ubl/testing/documents.ts';
import type { Job } from './render.ts';
import { createRenderer, isSmall, limitOf, type Renderer } from './renderer.ts';

const clock = new FakeClock();
const logger = createLogger({ level: 'silent', service: 'test' });
let renderer: Renderer;
afterEach(() => renderer.close());

const jobOf = (text: string): Job => ({ make: 'ubl', text, preceding: null, parties: null });
const real = jobOf(JSON.stringify(documents['standard']));
/** A worker that ends, hangs, sleeps, or answers, as the job's text says. */
const program = {
  url: new URL(
    `data:text/javascript,${encodeURIComponent(`
      import { parentPort } from 'node:worker_threads';
      parentPort.on('message', ({ text }) => {
        if (text === 'crash') throw new Error('boom');
        if (text === 'exit') process.exit(3);
        if (text.startsWith('hang')) for (;;);
        const answer = () => parentPort.postMessage({ rendered: { bytes: new TextEncoder().encode(text), missing: [] }, cpuMs: 1 });
        if (text.startsWith('sleep')) setTimeout(answer, 300);
        else answer();
      });`)}`,
  ),
};
const textOf = async (made: ReturnType<Renderer['render']>): Promise<string> => new TextDecoder().decode((await made).bytes);
const unavailable = expect.objectContaining({ code: 'service_unavailable' });

test('the real worker makes files, and answers what a document cannot be', async () => {
  renderer = createRenderer({ clock, logger });
  expect(await textOf(renderer.render('a', real))).toContain('<cbc:InvoiceTypeCode>380</cbc:InvoiceTypeCode>');
  const draft = jobOf(JSON.stringify({ ...documents['standard'], number: null, status: 'draft' }));
  await expect(renderer.render('a', draft)).rejects.toMatchObject({ code: 'invalid_state' });
  await expect(renderer.render('a', jobOf('no JSON'))).rejects.toThrow('JSON');
  expect(await textOf(renderer.render('a', real))).toContain('Invoice');
});

test.each(['crash', 'exit'])('a worker that ends (%s) fails its own file only, and the next are made by another', async (how) => {
  renderer = createRenderer({ clock, logger, program });
  const [ended, waiting] = [renderer.render('a', jobOf(how)), renderer.render('a', jobOf('next'))];
  await expect(ended).rejects.toEqual(unavailable);
  expect(await textOf(waiting)).toBe('next');
});

/** Lets the renderer look at its worker once, and the worker answer. */
const look = async () => {
  await clock.advance(1_000);
  await new Promise((resolve) => setTimeout(resolve, 50));
};

test('a file that uses too much processor time is given up, and the next are made by another worker', async () => {
  renderer = createRenderer({ clock, logger, program, limitOf: () => 100 });
  let isOver = false;
  const hanging = expect(renderer.render('a', jobOf('hang')).finally(() => (isOver = true))).rejects.toEqual(unavailable);
  while (!isOver) await look(); // the thread starts late on a busy machine
  await hanging;
  expect(await textOf(renderer.render('a', jobOf('next')))).toBe('next');
});

test('time in which the worker does not run is not counted: a busy machine gives no file up', async () => {
  renderer = createRenderer({ clock, logger, program, limitOf: () => 200 });
  const sleeping = textOf(renderer.render('a', jobOf('sleep')));
  await clock.advance(30_000);
  expect(await sleeping).toBe('sleep');
});

test('the limit of processor time grows with the document', () => {
  expect(limitOf(jobOf('x'.repeat(640 * 1024)))).toBeGreaterThan(3 * limitOf(jobOf('x')));
});

test('a file that has waited too long is refused and not made', async () => {
  renderer = createRenderer({ clock, logger, program });
  const [sleeping, waiting] = [textOf(renderer.render('a', jobOf('sleep'))), renderer.render('a', jobOf('next'))];
  const refused = expect(waiting).rejects.toEqual(unavailable);
  await clock.advance(20_000);
  await refused;
  expect(await sleeping).toBe('sleep');
});

test('a small document does not wait for large ones', async () => {
  renderer = createRenderer({ clock, logger, program });
  const large = ['hang'.padEnd(40_000), 'large'.padEnd(40_000)].map((text) =>
    expect(renderer.render('a', jobOf(text))).rejects.toEqual(unavailable),
  );
  expect(await textOf(renderer.render('b', jobOf('small')))).toBe('small');
  expect(await textOf(renderer.render('a', jobOf('of the same account')))).toBe('of the same account');
  await renderer.close();
  await Promise.all(large);
});

test('small is what has few characters, few of them different, also in the names of a draft', () => {
  const different = String.fromCodePoint(...Array.from({ length: 600 }, (_, n) => 0x4e00 + n));
  const named = (legal_name: string) => ({ issuer: { legal_name }, customer: null }) as unknown as Job['parties'];
  expect([jobOf('x'.repeat(20_000)), real, { ...real, parties: named('Ink') }].map(isSmall)).toEqual([true, true, true]);
  expect([jobOf('x'.repeat(40_000)), jobOf(different), { ...real, parties: named(different) }].map(isSmall)).toEqual([false, false, false]);
});

test('one account cannot fill the queue, and the queue has an end', async () => {
  renderer = createRenderer({ clock, logger, program });
  const jobs = (account: string, count: number) =>
    Array.from({ length: count }, (_, n) => textOf(renderer.render(account, jobOf(`${n}`))).catch(({ code }: { code: string }) => code));
  const first = await Promise.all([...jobs('a', 20), ...jobs('b', 1)]);
  expect(first.filter((text) => text === 'service_unavailable')).toHaveLength(7); // 12 wait, one is made
  expect(first.at(-1)).toBe('0');
  const each = await Promise.all(['a', 'b', 'c', 'd', 'e', 'f'].map((account) => Promise.all(jobs(account, 12))));
  const made = each.map((texts) => texts.filter((text) => text !== 'service_unavailable').length);
  expect(made).toEqual([12, 12, 12, 5, 1, 1]); // the last accounts still get one each
});

test('accounts take turns: who asks for one file does not wait for all that another asked for', async () => {
  renderer = createRenderer({ clock, logger, program });
  const made: string[] = [];
  const ask = (account: string, name: string) => textOf(renderer.render(account, jobOf(name))).then((text) => made.push(text));
  await Promise.all([...['a1', 'a2', 'a3', 'a4'].map((name) => ask('a', name)), ask('b', 'b1'), ask('b', 'b2'), ask('c', 'c1')]);
  expect(made).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3', 'a4']);
});

test('closing answers those who wait', async () => {
  renderer = createRenderer({ clock, logger, program });
  const waiting = [renderer.render('a', jobOf('hang')), renderer.render('a', jobOf('next'))].map((made) =>
    expect(made).rejects.toEqual(unavailable),
  );
  await renderer.close();
  await Promise.all(waiting);
});
