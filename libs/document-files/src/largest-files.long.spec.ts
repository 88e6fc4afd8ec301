import { FakeClock } from '@svc/kernel';
import { createLogger } from '@svc/service';
import { documents } from './ubl/testing/documents.ts';
import { createRenderer } from './renderer.ts';

const renderer = createRenderer({ clock: new FakeClock(), logger: createLogger({ level: 'silent', service: 'test' }) });
afterAll(() => renderer.close());

/** Of 500 lines, within the largest resource. */
const largest: Record<string, (n: number) => string> = {
  'Han characters that all differ': (n) =>
    String.fromCodePoint(...Array.from({ length: 390 }, (_, at) => 0x4e00 + ((n * 390 + at) % 20_000))),
  'scripts in turn': () => 'a語b한ع1(ไ)ক'.repeat(60),
  'line breaks': () => 'ไ\n'.repeat(100),
};

test.each(Object.entries(largest))('the memory of the worker is enough for 500 lines of %s', async (_, description) => {
  const items = Array.from({ length: 500 }, (_line, n) => ({ ...documents['standard']!.items[0]!, description: description(n) }));
  const text = JSON.stringify({ ...documents['standard'], items });
  const { bytes } = await renderer.render('a', { make: 'pdf', text, preceding: null, parties: null });
  expect(bytes.length).toBeGreaterThan(100_000);
});
