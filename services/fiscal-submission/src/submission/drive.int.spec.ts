import { systemClock } from '@svc/kernel';
import { Stage } from '../stage.suite.ts';
import { drive } from './drive.ts';
import { openSubmission } from './open.ts';
import { Outage } from './outage.ts';

test('a probe that fails before its call leaves the next one free', async () => {
  const stage = new Stage({ simulatorUrl: 'http://127.0.0.1:9' });
  const { context } = stage.fiscal;
  const row = await openSubmission(context, stage.requested());
  const outage = new Outage(1);
  for (let n = 1; n <= 10; n += 1) outage.heard(`doc${n}`, false, 0);
  const noPlace = { take: () => Promise.reject(new Error('no place')), giveUp: () => undefined };
  await expect(drive(context, outage, row!, noPlace, new AbortController().signal)).rejects.toThrow('no place');
  expect(outage.admit('other', systemClock.now())).toEqual({ go: true });
  await stage.close();
});
