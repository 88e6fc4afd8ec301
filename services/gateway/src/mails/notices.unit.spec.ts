import type { PublicEvent } from '@svc/contracts/events/envelope';
import { iso } from '@svc/kernel';
import { noticesOf } from './notices.ts';

const DAY = 86_400_000;
const NOW = 1_800_000_000_000;

const event = (type: string, data: object, over: Partial<PublicEvent> = {}): PublicEvent =>
  ({ type, data, env: 'live', account: 'acct_1', subject: 'x', time: iso(NOW), sequence: 1, ...over }) as PublicEvent;
const rejected = (over: Partial<PublicEvent> = {}) =>
  event('fiscal.document-rejected.v1', { document_id: 'inv_1', error: { code: 'E1', message: 'Wrong', fixable: 'data' } }, over);
const changed = (type: string, actor: string, changes: object) =>
  event('audit.setting-changed.v1', { actor: { type: actor, id: 'x' }, target: { type, id: 'we_1', name: 'Shop' }, changes });
const idsOf = (...events: PublicEvent[]) =>
  events.flatMap((one) => noticesOf(one, NOW).map((notice) => ('mail' in notice ? notice.mail._id : notice.withdrawn)));

test('many refused documents of an hour are one mail, of live alone, and old news none', () => {
  expect(new Set(idsOf(rejected(), rejected({ subject: 'y' }))).size).toBe(1);
  expect(idsOf(rejected({ env: 'test' }), rejected({ time: iso(NOW - 2 * DAY) }))).toEqual([]);
});

test('documents of an hour whose legal end is near are one mail; one that is over is none', () => {
  const near = (id: string, end: number) =>
    event('fiscal.document-deadline-near.v1', { document_id: id, kind: 'invoice', authority: 'al-cis', deadline_at: iso(end) });
  const [one, other] = [near('inv_1', NOW + DAY / 2), near('inv_2', NOW + DAY / 3)];
  expect(noticesOf(one, NOW)).toMatchObject([
    {
      mail: { kind: 'document_ends', subject_id: 'inv_1', detail: expect.stringContaining(`al-cis takes it until ${iso(NOW + DAY / 2)}`) },
    },
  ]);
  expect(new Set(idsOf(one, other)).size).toBe(1);
  expect(idsOf(near('inv_3', NOW - 1))).toEqual([]);
});

test('an endpoint that was disabled by its failures is one, and one by a request is none', () => {
  const change = { status: { from: 'enabled', to: 'disabled' }, disabled_reason: { from: null, to: 'gone' } };
  expect(idsOf(changed('webhook_endpoint', 'system', change))).toHaveLength(1);
  expect(idsOf(changed('webhook_endpoint', 'member', change), changed('api_key', 'system', change))).toEqual([]);
});

test('a certificate is one 30 days before its end; a deleted one takes it back', () => {
  const end = NOW + 90 * DAY;
  const [notice] = noticesOf(changed('fiscal_credentials', 'member', { expires_at: { from: null, to: iso(end) } }), NOW);
  expect(notice).toMatchObject({ mail: { due_at: end - 30 * DAY, kept_until: end } });
  expect(noticesOf(changed('fiscal_credentials', 'member', { expires_at: { from: iso(end), to: null } }), NOW)).toEqual([
    { withdrawn: 'certificate live.acct_1' },
  ]);
});

test('a staged certificate takes over by itself: the mail is about the end of that one', () => {
  const end = NOW + 400 * DAY;
  const [notice] = noticesOf(changed('fiscal_credentials', 'member', { 'successor.expires_at': { from: null, to: iso(end) } }), NOW);
  expect(notice).toMatchObject({ mail: { _id: 'certificate live.acct_1', due_at: end - 30 * DAY, kept_until: end } });
});
