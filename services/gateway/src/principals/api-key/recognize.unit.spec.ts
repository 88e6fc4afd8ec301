import { FakeClock } from '@svc/kernel';
import { createLogger } from '@svc/service';
import type { KeysContext } from '../../keys/context.ts';
import { newKeyValue } from '../../keys/key-format.ts';
import { createChanges } from '../look-ups.ts';
import { createKeyRecognizer } from './resolve-key.ts';

test('the cache holds the 20,000 values that were looked up last', async () => {
  let lookUps = 0;
  const none = {
    find() {
      lookUps += 0.5; // by the current and the previous value
      return (async function* () {})();
    },
  };
  const context = { store: { keys: none }, peppers: { hashes: (value: string) => [value] } } as unknown as KeysContext;
  const recognizer = createKeyRecognizer(context, {
    clock: new FakeClock(),
    logger: createLogger({ level: 'silent', service: 'gateway' }),
    changes: createChanges(),
  });
  const values = Array.from({ length: 20_001 }, () => newKeyValue('test'));
  for (const value of values) expect(await recognizer.recognize(value)).toBeNull();
  expect(lookUps).toBe(20_001);
  await recognizer.recognize(values[20_000] ?? '');
  await recognizer.recognize(values[1] ?? '');
  expect(lookUps).toBe(20_001);
  await recognizer.recognize(values[0] ?? '');
  expect(lookUps).toBe(20_002);
});
