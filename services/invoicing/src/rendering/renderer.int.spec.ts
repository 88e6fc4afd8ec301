import { FakeClock } from '@svc/kernel';
import { createLogger } from '@svc/service';
import { documents } from '../document/ubl/testing/documents.ts';
import type { Job } from './render.ts';
import { createRenderer, type Renderer } from './renderer.ts';

const clock = new FakeClock();
const logger = createLogger({ level: 'silent', service: 'test' });
let renderer: Renderer;
afterEach(() => renderer.close());

const jobOf = (text: string): Job => ({ format: 'ubl', text, preceding: null, parties: null });
const real = jobOf(JSON.stringify(documents['standard']));
/** A worker that ends, hangs, or answers, as the job's text says. */
const program = {
  url: new URL(
    `data:text/javascript,${encodeURIComponent(`
      import { parentPort } from 'node:worker_threads';
      parentPort.on('message', ({ text }) => {
        if (text === 'crash') throw new Error('boom');
        if (text === 'exit') process.exit(3);
        if (text === 'hang') for (;;);
        parentPort.postMessage({ rendered: { bytes: new TextEncoder().encode(text), missing: [] } });
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
  renderer = createRenderer({ clock, logger }, program);
  const [ended, waiting] = [renderer.render('a', jobOf(how)), renderer.render('a', jobOf('next'))];
  await expect(ended).rejects.toEqual(unavailable);
  expect(await textOf(waiting)).toBe('next');
});

test('a file that takes too long is given up, and the next are made by another worker', async () => {
  renderer = createRenderer({ clock, logger }, program);
  const [hanging, waiting] = [renderer.render('a', jobOf('hang')), renderer.render('a', jobOf('next'))];
  const failed = expect(hanging).rejects.toEqual(unavailable);
  await clock.advance(10_000);
  await failed;
  expect(await textOf(waiting)).toBe('next');
});

test('one account cannot fill the queue, and the queue has an end', async () => {
  renderer = createRenderer({ clock, logger }, program);
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
  renderer = createRenderer({ clock, logger }, program);
  const made: string[] = [];
  const ask = (account: string, name: string) => textOf(renderer.render(account, jobOf(name))).then((text) => made.push(text));
  await Promise.all([...['a1', 'a2', 'a3', 'a4'].map((name) => ask('a', name)), ask('b', 'b1'), ask('b', 'b2'), ask('c', 'c1')]);
  expect(made).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'b2', 'a4']);
});

test('closing answers those who wait', async () => {
  renderer = createRenderer({ clock, logger }, program);
  const waiting = [renderer.render('a', jobOf('hang')), renderer.render('a', jobOf('next'))].map((made) =>
    expect(made).rejects.toEqual(unavailable),
  );
  await renderer.close();
  await Promise.all(waiting);
});

/** Of 500 lines, within the largest resource. */
const largest: Record<string, (n: number) => string> = {
  'Han characters that all differ': (n) =>
    String.fromCodePoint(...Array.from({ length: 390 }, (_, at) => 0x4e00 + ((n * 390 + at) % 20_000))),
  'scripts in turn': () => 'a語b한ع1(ไ)ক'.repeat(60),
  'line breaks': () => 'ไ\n'.repeat(100),
};

test.each(Object.entries(largest))('the memory of the worker is enough for 500 lines of %s', async (_, description) => {
  renderer = createRenderer({ clock, logger });
  const items = Array.from({ length: 500 }, (_line, n) => ({ ...documents['standard']!.items[0]!, description: description(n) }));
  const { bytes } = await renderer.render('a', { ...jobOf(JSON.stringify({ ...documents['standard'], items })), format: 'pdf' });
  expect(bytes.length).toBeGreaterThan(100_000);
});
