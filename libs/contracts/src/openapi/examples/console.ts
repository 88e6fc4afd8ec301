import * as jobs from '../../console/jobs.ts';
import * as requests from '../../console/requests.ts';
import * as resources from '../../console/resources.ts';
import type { Class } from '../../schema/class.ts';
import { ids, times } from './ids.ts';
import { account as ofKey, apiKey } from './others.ts';

const TOKEN = 'q7yJm2v9T4nLx0cRkZs8Wd1fHb6uEa3gPiOo5tVYxQM';

const user = { id: ids.usr, email: 'ana@acme.example', name: 'Ana', language: 'en', totp: false };
const member = {
  ...{ id: ids.mem, email: user.email, name: user.name, role: 'owner', disabled: false, operator: null },
  ...{ joined_at: times.created, deleted_at: null, version: 1 },
};
const bookkeeper = { ...member, email: 'eva@books.example', name: 'Eva', role: 'accountant', joined_at: null };
const till = { unit: 'HQ', device: 'TILL1', operator: 'OP1' };
const actor = { type: 'member', id: ids.mem, name: user.name };
const account = {
  ...{ id: ids.acct, object: 'account', name: 'Acme', plan: 'starter', limits: ofKey.limits, require_totp: false, suspended: false },
  ...{ created_at: times.created, updated_at: times.updated },
};
const key = {
  ...{ id: ids.key, object: 'api_key', livemode: false, name: 'Shop', start: 'svc_test_4fQ', permissions: apiKey.permissions },
  ...{ allowed_ips: ['192.0.2.0/24'], personal_data: true, created_by: actor },
  ...{ created_at: times.created, updated_at: times.updated, version: 2, last_used_at: times.updated, last_used_ip: '192.0.2.7' },
  ...{ expires_at: null, previous_expires_at: null, deleted_at: null },
};
const session = {
  ...{ object: 'session', user, accounts: [{ id: ids.acct, name: account.name, role: 'owner', current: true }] },
  ...{ must_set_password: false, must_enter_code: false, must_set_totp: false },
};

/** A form of an invoice, half filled in. */
export const unfinished = { items: [{ description: 'Feed', quantity: '1,5' }] };

const ofSessions: [Class, object][] = [
  [requests.SignIn, { email: user.email, password: 'Bridge-and-lantern-7' }],
  [requests.StepUp, { password: 'Bridge-and-lantern-7' }],
  [requests.ChooseAccount, { account: ids.acct }],
  [requests.SetTill, { unit: till.unit, device: till.device }],
  [requests.UpdateMe, { name: 'Ana', password: { current: 'Bridge-and-lantern-7', new: 'Harbour-and-ladder-8' } }],
  [requests.ConfirmTotp, { code: '492039' }],
  [resources.SessionResource, session],
  [resources.SteppedUp, { until: times.later }],
  [resources.TillResource, till],
  [
    resources.OpenSession,
    {
      ...{ id: ids.ses, created_at: times.created, last_used_at: times.updated, ip: '192.0.2.7' },
      ...{ user_agent: 'Mozilla/5.0', current: true },
    },
  ],
  [resources.Done, { done: true }],
  [
    resources.Me,
    {
      ...{
        session_id: ids.ses,
        user,
        member,
        account,
        permissions: { live: ['*'], test: ['*'] },
        personal_data: { live: true, test: true },
        till,
      },
      ...{ must_set_password: false, must_set_totp: false },
    },
  ],
  [
    resources.TotpSecret,
    {
      secret: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP',
      otpauth_url: 'otpauth://totp/Acme:ana%40acme.example?secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP&issuer=Acme',
    },
  ],
  [resources.RecoveryCodes, { recovery_codes: ['7k2mq-x9r4d', 'c1v8t-h5n3w'] }],
];

const ofSettings: [Class, object][] = [
  [requests.UpdateAccount, { name: 'Acme Feeds', require_totp: true }],
  [resources.ConsoleAccount, account],
  [
    resources.UsageResource,
    {
      limits: [{ name: 'plan', size: 300, used: 12, reset: times.later }],
      requests: [{ day: '2026-03-01', count: 1_840 }],
      storage: { bytes: 1_048_576, quota: null },
    },
  ],
  [requests.InviteMember, { email: bookkeeper.email, name: bookkeeper.name, role: bookkeeper.role }],
  [requests.UpdateMember, { role: 'viewer' }],
  [resources.MemberResource, member],
  [resources.InvitedMember, { ...bookkeeper, invitation_url: `https://api.example/app/sign-in#token=${TOKEN}` }],
  [resources.RemovedMember, { ...member, deleted_at: times.later, keys: [{ id: ids.key, name: 'Shop' }] }],
  [resources.ResetLink, { reset_url: `https://api.example/app/sign-in#token=${TOKEN}` }],
  [requests.CreateApiKey, { name: 'Shop', livemode: false, permissions: apiKey.permissions, allowed_ips: ['192.0.2.0/24'] }],
  [requests.ChangeApiKey, { name: 'Shop', permissions: ['invoices:read'] }],
  [resources.ConsoleKey, key],
  [
    resources.AuditEntryResource,
    {
      ...{
        id: ids.evt.slice(4),
        at: times.updated,
        actor,
        action: 'api_key.updated',
        target: { type: 'api_key', id: ids.key, name: 'Shop' },
      },
      ...{ changes: { name: { from: 'Old shop', to: 'Shop' } }, via: null, ip: '192.0.2.7', request_id: ids.req },
    },
  ],
  [
    resources.IssuerBasics,
    {
      ...{ time_zone: 'Europe/Madrid', currency: 'EUR', prices_include_tax: false, rounding: 'line', default_tax_rate: 21 },
      ...{ authorities: ['sandbox'], units: [{ code: till.unit, devices: [till.device] }] },
    },
  ],
  [
    resources.LiveSetup,
    {
      live: {
        ready: false,
        steps: [
          { id: 'issuer', done: true, missing: [] },
          {
            ...{ id: 'authority', done: false },
            missing: [{ field: 'authority', rule: 'required', message: 'Choose the tax authority that live documents are registered at.' }],
          },
        ],
      },
    },
  ],
];

const ofLooking: [Class, object][] = [
  [
    resources.TodayResource,
    {
      data: [
        {
          ...{ kind: 'refused', count: 1, oldest: times.updated },
          rows: [
            {
              ...{ title: 'INV-2026-000001', since: times.updated, document: { id: ids.inv } },
              next: { action: 'fix', route: `/app/invoices/${ids.inv}` },
            },
          ],
        },
      ],
    },
  ],
  [resources.CountsResource, { of: 'invoices', by: 'status', counts: { draft: 3, submitted: 120, failed: 1 } }],
  [resources.FoundResource, { data: [{ kind: 'invoice', id: ids.inv, title: 'INV-2026-000001' }] }],
  [
    resources.TimelineEntry,
    {
      ...{ at: times.updated, kind: 'history', title: 'submission requested', actor, request_id: ids.req },
      detail: { version: 2, type: 'submission_requested', at: times.updated, actor: { type: 'member', id: ids.mem }, changes: {} },
    },
  ],
  [
    resources.EndpointStats,
    { counted_from: '2026-02-26T10:00:00.000Z', data: [{ at: '2026-03-01T10:00:00.000Z', succeeded: 41, failed: 1, p50: 120, p95: 480 }] },
  ],
  [resources.UnfinishedForm, unfinished],
  [resources.RequestGroup, { code: 'validation_error', route: 'POST /v1/invoices', field: 'items', count: 7, last_at: times.updated }],
];

const job = {
  ...{ status: 'succeeded', done: 12, total: 12, reason: null, created_by: actor },
  ...{ created_at: times.created, ended_at: times.updated },
};
const ofJobs: [Class, object][] = [
  [jobs.CreateExport, { kind: 'pdf', from: '2026-03-01', to: '2026-03-31', types: ['standard', 'credit_note'] }],
  [
    jobs.ExportResource,
    {
      ...{
        id: ids.exp,
        object: 'export',
        kind: 'pdf',
        from: '2026-03-01',
        to: '2026-03-31',
        ...job,
        bytes: 840_112,
        missing_count: 0,
        missing: [],
      },
      ...{ expires_at: times.later, url: 'https://api.example/files/gateway.WyJ6aXAiXQ.9Xh2' },
    },
  ],
  [jobs.CreateSubmissions, { ids: [ids.inv] }],
  [
    jobs.SubmissionsResource,
    {
      ...{ id: ids.sub, object: 'submissions', ...job, status: 'running', done: 4, ended_at: null },
      failed_count: 1,
      failed: [{ id: ids.inv, code: 'validation_error', message: 'items.0.description: Send one.' }],
    },
  ],
];

/** Examples of what the dashboard alone has. */
export const consoleExamples: readonly [Class, object][] = [...ofSessions, ...ofSettings, ...ofLooking, ...ofJobs];
