import { Socket } from 'node:net';
import { FakeClock, DomainError } from '@svc/kernel';
import { awaitOutcome } from './wait.ts';

/** A wait of 20 s for a document that does not change; `onLook` is called with the number of each look. */
async function looksOf(socket: Socket, onLook: (n: number) => void): Promise<number> {
  const clock = new FakeClock();
  let looks = 0;
  let isOver = false;
  const wait = awaitOutcome(
    { clock, seconds: 20, first: 'pending', socket },
    async () => {
      onLook((looks += 1));
      return 'pending';
    },
    () => false,
  ).finally(() => (isOver = true));
  while (!isOver) await clock.advance(1_000);
  expect(await wait).toBe('pending');
  return looks;
}

test('a wait ends when its caller disconnects', async () => {
  const socket = new Socket();
  const looks = await looksOf(socket, (n) => {
    if (n < 3) return;
    socket.destroy();
    throw new DomainError('service_unavailable', 'The caller has gone.');
  });
  expect(looks).toBe(3);
});

test('a wait continues when a read of the document fails', async () => {
  const looks = await looksOf(new Socket(), (n) => {
    if (n === 3) throw new DomainError('service_unavailable', 'It is not answered.');
  });
  expect(looks).toBeGreaterThan(20_000 / 250);
});
