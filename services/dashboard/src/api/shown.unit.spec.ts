import { Cancelled, prompts } from './prompts.ts';
import { createFresh } from './fresh.ts';
import { createPresence } from './presence.ts';
import { createShown, shown } from './shown.ts';

const ana = { session: 'ses_1', member: 'mem_1' };

test('another member, another session or none is a change; the same read again is none', () => {
  const seen = createShown();
  const changes: unknown[] = [];
  seen.whenChanged((now) => changes.push(now));
  const elsewhere = { ...ana, member: 'mem_2' };
  for (const next of [ana, { ...ana }, elsewhere, { ...elsewhere, session: 'ses_2' }, undefined, undefined]) seen.set(next);
  expect(changes).toEqual([ana, elsewhere, { session: 'ses_2', member: 'mem_2' }, undefined]);
});

test('what a person was asked, and a secret made for them, do not outlive them', async () => {
  shown.set(ana);
  const fresh = createFresh();
  fresh.put('key_1', 'svc_live_1');
  const asked = prompts.ask('step-up');
  shown.set({ ...ana, session: 'ses_2' });
  await expect(asked).rejects.toThrow(Cancelled);
  expect([prompts.current(), fresh.take('key_1')]).toEqual([undefined, undefined]);
});

test('a person is before the page for a minute after a touch or a key', () => {
  let now = 0;
  const { act, isHere } = createPresence(() => now);
  now = 59_000;
  expect(isHere()).toBe(true);
  now = 61_000;
  expect(isHere()).toBe(false);
  act();
  expect(isHere()).toBe(true);
});
