import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { embeddedDocumentStore } from '@svc/document-store';
import { Engine } from '@svc/embedded';
import { FakeClock, settleTurns } from '@svc/kernel';
import { until } from '@svc/kernel/testing/until';
import { createLogger } from '@svc/service';
import { accountStore } from '../keys/store.ts';
import { newMember } from '../members/invite.ts';
import { peopleStore } from '../members/store.ts';
import type { User } from '../members/user.ts';
import { MailServer } from '../testing/mail-server.ts';
import { type Mail, mailRows } from './mail.ts';
import { mailsWork } from './send-mails.ts';

const AT = '2026-03-01T10:00:00.000Z';
const folder = mkdtempSync(join(tmpdir(), 'mails-'));
const engine = Engine.open(folder, { durable: false });
const documents = embeddedDocumentStore(engine, 'svc_gateway');
const [rows, people, store] = [mailRows(documents), peopleStore(documents), accountStore(documents)];
const clock = new FakeClock();
const lines: string[] = [];
const logger = createLogger({ level: 'warn', service: 'test' }, { write: (line) => void lines.push(line) });
let server: MailServer;

beforeAll(async () => {
  server = await MailServer.start();
  await store.accounts.insert({
    ...{ _id: 'acct_1', version: 1, name: 'Acme\r\nBcc: x@evil.example', plan: 'free', limits: null, suspended: false },
    ...{ created_at: AT, updated_at: AT, due_at: null },
  } as never);
  for (const [n, role] of (['owner', 'owner', 'admin'] as const).entries()) {
    const user = { _id: `usr_${n}`, version: 1, email: `${role}${n}@example.com`, email_key: `${role}${n}@example.com`, name: null };
    await people.users.insert(user as unknown as User);
    const member = newMember(`mem_${n}`, { account: 'acct_1', email: user.email, role }, AT);
    await people.members.insert({ ...member, user: user._id, joined_at: AT });
  }
});
afterAll(async () => {
  await server.stop();
  engine.close();
  rmSync(folder, { recursive: true });
});

const mail = (id: string): Mail => ({
  ...{
    _id: id,
    version: 1,
    account: 'acct_1',
    env: 'live',
    kind: 'document_refused',
    subject_id: 'inv_1',
    detail: 'E1: wrong\r\nBcc: x@evil.example',
  },
  ...{ tries: 0, done: false, due_at: clock.now(), kept_until: clock.now() + 3_600_000 },
});
const start = () => {
  const smtp = { url: server.url, from: 'Acme <no-reply@example.com>' };
  return mailsWork({ rows, people, store, publicUrl: 'https://app.example', smtp, clock, logger }).start();
};
const passing = (done: () => boolean | Promise<boolean>) =>
  until(async () => {
    await clock.advance(500, () => settleTurns(2));
    return done();
  });

test('each owner gets one, of two replicas, with a link that signs nobody in', async () => {
  const replicas = [start(), start()];
  await rows.insert(mail('first'));
  await passing(async () => (await rows.get('first'))?.done === true);
  for (const replica of replicas) await replica.stop();
  expect(server.received).toHaveLength(2);
  const text = server.received.join('\n');
  expect(text).toContain('https://app.example/app/invoices/inv_1');
  expect(text).not.toContain('token');
  expect(server.received.flatMap((one) => one.split('\r\n\r\n')[0]?.match(/^(?:To|Bcc): .*$/gm) ?? []).sort()).toEqual([
    'To: owner0@example.com',
    'To: owner1@example.com',
  ]);
});

test('an address that the server refuses keeps no other from its mail, and they get it once', async () => {
  server.refused = 'owner0@example.com';
  const before = server.received.length;
  const work = start();
  await rows.insert(mail('refused'));
  await passing(async () => (await rows.get('refused'))?.tries === 1);
  expect(server.received.slice(before).map((one) => /^To: (.*)$/m.exec(one)?.[1]?.trim())).toEqual(['owner1@example.com']);
  server.refused = undefined;
  await rows.claim({ _id: 'refused' }, { set: { due_at: clock.now() } });
  await passing(async () => (await rows.get('refused'))?.done === true);
  await work.stop();
  expect(server.received.slice(before).map((one) => /^To: (.*)$/m.exec(one)?.[1]?.trim())).toEqual([
    'owner1@example.com',
    'owner0@example.com',
  ]);
});

test('one that was sent stays until its end, though it is due before, as after the clock was set back', async () => {
  const sent = { ...mail('sent'), done: true };
  const work = start();
  await rows.insert(sent);
  await passing(async () => (await rows.get('sent'))?.due_at === sent.kept_until);
  await clock.advance(3_600_000);
  await passing(async () => (await rows.get('sent')) === undefined);
  await work.stop();
});

test('one that the server refuses is tried again after a minute, and given up after five more', async () => {
  server.isRefusing = true;
  const before = server.received.length;
  const work = start();
  await rows.insert(mail('second'));
  await passing(async () => (await rows.get('second'))?.tries === 1);
  expect((await rows.get('second'))?.due_at).toBeGreaterThan(clock.now() + 55_000);
  await rows.claim({ _id: 'second' }, { set: { tries: 5, due_at: clock.now() } });
  await passing(async () => (await rows.get('second'))?.done === true);
  await work.stop();
  expect(server.received).toHaveLength(before);
  expect(lines.join('')).toContain('a mail was not sent');
});
