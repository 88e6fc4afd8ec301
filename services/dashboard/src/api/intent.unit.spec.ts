import { ApiError } from '@svc/client/console';
import { createIntent } from './intent.ts';

/** Presses the button once for each outcome, and has the keys that were sent. */
async function pressed(...outcomes: ('done' | { status: number; code: string })[]): Promise<string[]> {
  let n = 0;
  const intent = createIntent(() => String((n += 1)));
  const keys: string[] = [];
  for (const outcome of outcomes)
    await intent
      .carryOut(async (once) => {
        keys.push(once['Idempotency-Key']);
        if (outcome !== 'done') throw new ApiError({ ...outcome, message: '', requestId: null });
      })
      .catch(() => undefined);
  return keys;
}

test('a press after a lost answer, or while the first still runs, has the key of the first', async () => {
  const lost = { status: 0, code: 'unreachable' };
  const running = { status: 409, code: 'idempotency_key_in_use' };
  expect(await pressed(lost, running, { status: 503, code: 'service_unavailable' }, 'done')).toEqual(['1', '1', '1', '1']);
});

test('who asks is judged before the key: a press after that is still the same', async () => {
  const session = { status: 409, code: 'session_changed' };
  const rights = { status: 403, code: 'insufficient_permissions' };
  expect(await pressed({ status: 0, code: 'unreachable' }, rights, session, 'done')).toEqual(['1', '1', '1', '1']);
});

test('a press after an answer means something new', async () => {
  expect(await pressed('done', { status: 422, code: 'validation_error' }, 'done')).toEqual(['1', '2', '3']);
});

test('what may have been done has a key, which another page goes on with', async () => {
  const lost = new ApiError({ status: 0, code: 'unreachable', message: '', requestId: null });
  const first = createIntent(() => '1');
  expect(first.pending()).toBeUndefined();
  await first.carryOut(() => Promise.reject(lost)).catch(() => undefined);
  const next = createIntent(() => '2', first.pending());
  expect(await next.carryOut((once) => Promise.resolve(once['Idempotency-Key']))).toBe('1');
  expect(next.pending()).toBeUndefined();
});
