import { settleTurns } from './fake-clock.ts';
import { KeyedQueue } from './turns.ts';

function stage() {
  const queue = new KeyedQueue();
  const log: string[] = [];
  const ends = new Map<string, PromiseWithResolvers<void>>();
  const add = (key: string, name: string): Promise<string> => {
    const end = Promise.withResolvers<void>();
    ends.set(name, end);
    return queue.add(key, async () => {
      log.push(`${name} begins`);
      await end.promise;
      log.push(`${name} ends`);
      return name;
    });
  };
  return {
    queue,
    log,
    add,
    end: (name: string) => ends.get(name)?.resolve(),
    fail: (name: string) => ends.get(name)?.reject(new Error(name)),
  };
}

test('runs the work of one key one after the other, in order, and returns what it returns', async () => {
  const { log, add, end } = stage();
  const [first, second] = [add('a', '1'), add('a', '2')];
  end('2');
  await settleTurns();
  expect(log).toEqual(['1 begins']);
  end('1');
  expect(await Promise.all([first, second])).toEqual(['1', '2']);
  expect(log).toEqual(['1 begins', '1 ends', '2 begins', '2 ends']);
});

test('does not make one key wait for another', async () => {
  const { log, add, end } = stage();
  const slow = add('a', 'slow');
  end('fast');
  const fast = add('b', 'fast');
  end('fast');
  await fast;
  expect(log).toEqual(['slow begins', 'fast begins', 'fast ends']);
  end('slow');
  await slow;
});

test('continues after work that failed; only its caller gets the error', async () => {
  const { log, add, end, fail } = stage();
  const [first, second] = [add('a', '1'), add('a', '2')];
  fail('1');
  end('2');
  await expect(first).rejects.toThrow('1');
  expect(await second).toBe('2');
  expect(log).toEqual(['1 begins', '2 begins', '2 ends']);
});

test('drains what is waiting and what is added meanwhile', async () => {
  const { queue, log, add, end } = stage();
  void add('a', '1').then(() => add('b', '2'));
  let isDrained = false;
  const drained = queue.drain().then(() => (isDrained = true));
  end('1');
  await settleTurns();
  expect(isDrained).toBe(false);
  end('2');
  await drained;
  expect(log).toEqual(['1 begins', '1 ends', '2 begins', '2 ends']);
});
