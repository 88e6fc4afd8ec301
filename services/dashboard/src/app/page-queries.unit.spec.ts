import { ApiError } from '@svc/client/console';
import { pageQueries } from './page-queries.ts';

const failure = (status: number, retryAfter?: number): ApiError =>
  new ApiError({ status, code: 'rate_limit_exceeded', message: '', requestId: null, retryAfter });

/** How often a read is sent that fails so often with the error. */
async function sent(error: Error, failures: number): Promise<number> {
  let times = 0;
  const queryFn = (): string => {
    times += 1;
    if (times <= failures) throw error;
    return 'read';
  };
  await pageQueries()
    .fetchQuery({ queryKey: ['x'], queryFn })
    .catch(() => undefined);
  return times;
}

test('a read that meets a limit is sent again when the answer says, and one that would wait for long is not', async () => {
  expect(await sent(failure(429, 0.001), 5)).toBe(6);
  expect(await sent(failure(429, 0.001), 100)).toBe(11);
  expect(await sent(failure(429, 3_600), 1)).toBe(1);
});

test('a read that is refused is not sent again', async () => {
  expect(await sent(failure(403), 1)).toBe(1);
});
