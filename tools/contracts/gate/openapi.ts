import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { Break } from './break.ts';
import { typesChanged } from './client-types.ts';
import type { JsonSchema } from './refused.ts';
import type { Change } from './change.ts';
import type { Description, Release } from './releases.ts';

const MOST_OUTPUT = 64 * 1024 * 1024;
const instead =
  'keep what the last release answers and accepts, and add beside it: an optional field, an operation, a parameter that may be omitted. What has to go is marked deprecated and stays in /v1.';

/** The published API against the last release: a client of it still works. `program`: the path of oasdiff. */
export function openapiBreaks(today: Description, releases: readonly Release[], program: string): Break[] {
  const last = releases.at(-1);
  const [now, then] = [today, last?.description].map((description) => description?.get('openapi.json'));
  if (!last || then === undefined) return [];
  if (now === undefined) throw new Error('this commit has no openapi.json');
  const [before, after] = [then, now].map((document) => fromOrigin(withoutLengthOfTimes(document) as Document)) as [Document, Document];
  const changes = changesBetween(withWebhooksAsAnswers(before), withWebhooksAsAnswers(after), program);
  return [...changes, ...lostCredentials(before, after), ...typesChanged(before, after)].map(({ id, text, operation = '', path = '' }) => {
    const where = path.startsWith('/webhook:') ? path.slice(1).replace(':', ' ') : `${operation} ${path}`.trim() || 'openapi.json';
    const whom = 'clients that were written for this release';
    return {
      id: `openapi ${where} ${id} ${text}`,
      where,
      what: `${text} (${id})`,
      whom,
      versions: [last.version],
      instead,
      isAcceptable: true,
    };
  });
}

interface Document {
  servers?: { url: string }[];
  paths?: Record<string, object>;
  webhooks?: Record<string, Webhook>;
  /** Each is one way to authenticate: the schemes that it needs together. */
  security?: Record<string, string[]>[];
  components?: { securitySchemes?: Record<string, { description?: string }>; schemas?: Record<string, JsonSchema> };
}

/** Days and moments without their length, which their format gives: clients that were generated with it and without it read the same. */
function withoutLengthOfTimes(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(withoutLengthOfTimes);
  const { maxLength: _, ...rest } = value as JsonSchema;
  const isTime = 'format' in rest && (rest.format === 'date' || rest.format === 'date-time');
  return Object.fromEntries(Object.entries(isTime ? rest : value).map(([key, inside]) => [key, withoutLengthOfTimes(inside)]));
}

/** The document with paths from the origin on: how a URL is divided into that of the server and a path is no promise. */
function fromOrigin({ servers = [], paths = {}, ...document }: Document): Document {
  const base = new URL(servers[0]?.url ?? '/', 'https://api.example.com').pathname.replace(/\/$/, '');
  return { ...document, paths: Object.fromEntries(Object.entries(paths).map(([path, methods]) => [`${base}${path}`, methods])) };
}

/** oasdiff takes less authentication for harmless, and does not compare the header of a key. */
function lostCredentials(then: Document, now: Document): Change[] {
  const waysOf = ({ security = [], components }: Document): Record<string, object>[] =>
    security.map((way) =>
      Object.fromEntries(
        Object.entries(way).map(([name, scopes]) => {
          const { description: _, ...scheme } = components?.securitySchemes?.[name] ?? {};
          return [name, { scopes, scheme }];
        }),
      ),
    );
  const today = waysOf(now);
  return waysOf(then)
    .filter((way) => !today.some((one) => isDeepStrictEqual(one, way)))
    .map((way) => ({ id: 'security-gone', text: `requests can no longer authenticate by ${Object.keys(way).join(' and ')}` }));
}

interface Webhook {
  post: { operationId: string; parameters?: { name: string; required?: boolean; schema: object }[]; requestBody: { content: object } };
}

/**
 * The document with each webhook as an answer, at the path `/webhook:<name>`. oasdiff compares the body of a webhook as what clients send; it is what
 * they receive: a new field in it breaks no reader, a new value does.
 */
function withWebhooksAsAnswers(document: unknown): object {
  const { webhooks, paths, ...api } = document as Document & { paths: object };
  const answers = Object.entries(webhooks ?? {}).map(([name, { post }]) => {
    const headers = Object.fromEntries((post.parameters ?? []).map(({ name: header, required, schema }) => [header, { required, schema }]));
    const answer = { description: 'The webhook.', headers, content: post.requestBody.content };
    return [`/webhook:${name}`, { get: { operationId: post.operationId, responses: { 200: answer } } }];
  });
  return { ...api, paths: { ...paths, ...Object.fromEntries(answers) } };
}

function changesBetween(then: object, now: object, program: string): Change[] {
  const work = mkdtempSync(join(tmpdir(), 'svc-openapi-'));
  try {
    const [before, after] = [then, now].map((document, n) => {
      const path = join(work, `${n}.json`);
      writeFileSync(path, JSON.stringify(document));
      return path;
    }) as [string, string];
    const args = ['breaking', before, after, '--format', 'json', '--severity-levels', join(import.meta.dirname, 'severity-levels.txt')];
    const done = spawnSync(program, args, { encoding: 'utf8', maxBuffer: MOST_OUTPUT });
    if (done.error) throw done.error;
    if (done.status !== 0) throw new Error(`oasdiff could not compare the documents: ${done.stderr}`);
    return JSON.parse(done.stdout || '[]') as Change[];
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}
