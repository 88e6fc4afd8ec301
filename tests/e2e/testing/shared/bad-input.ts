import { client, type Answer, type System } from '@svc/testkit';
import type { RouteName } from '@svc/contracts/routes';
import { openAccount, servedRoutes, type Account } from '../accounts.ts';
import { makeCase, STEPS, type Case, type Wire } from '../bad-request.ts';
import { random } from '../random.ts';
import { problemsOf, type Seen } from '../checked-client.ts';
import { readPublished, type Operation, type Published } from '../published.ts';
import { createApiFixture, type ApiFixture } from '../api-fixture.ts';
import type { Shared } from './shared-system.ts';

const SEED = Number(process.env['BAD_INPUT_SEED'] ?? Date.now() % 2 ** 31);
const AT_ONCE = 16;
/** A valid request to these would change the account for later requests. */
const ONLY_WRONG = [
  'POST /api-keys/rotate',
  'PATCH /api-keys/{id}',
  'PATCH /issuer',
  'POST /webhooks',
  'PATCH /webhooks/{id}',
  'PUT /fiscal-credentials',
];

/** Sends so many generated invalid requests to every route. Each run makes others. */
export function testBadInput(shared: () => Shared, perRoute: number): void {
  let system: System;
  let account: Account;
  let published: Published;
  let fixture: ApiFixture;
  beforeAll(async () => {
    system = shared().system;
    account = await openAccount(system, 'Fuzz');
    published = await readPublished(system.url);
    fixture = await createApiFixture(system, account, shared().receiver.origin, await servedRoutes(system));
  });

  async function send(method: string, { path, query, headers, body }: Wire): Promise<Answer> {
    const response = await fetch(`${system.url}/v1${path}${query && `?${query}`}`, {
      method,
      redirect: 'manual',
      headers: { authorization: `Bearer ${account.testKey}`, ...headers },
      ...(body ? { body: new Uint8Array(body) } : {}),
      signal: AbortSignal.timeout(60_000),
    });
    const text = await response.text();
    return { status: response.status, headers: response.headers, body: JSON.parse(text) as Answer['body'], text };
  }

  const related = (reported: string, field: string): boolean => {
    const beside = field.split('.').slice(0, -1).join('.');
    return (
      reported === 'body' ||
      reported === field ||
      reported.startsWith(`${field}.`) ||
      field.startsWith(`${reported}.`) ||
      beside === '' ||
      reported.startsWith(`${beside}.`)
    );
  };

  /** The problems of a response; empty when it is correct. */
  function judge(operation: Operation, { breakages, isCorrupted }: Case, answer: Seen['answer']): string[] {
    const [first] = breakages;
    const { status, body } = answer;
    const allowed = first ? [...first.status, ...(isCorrupted && first.step > STEPS.schema ? [422] : [])] : [200, 201, 422];
    if (!allowed.includes(status)) return [`${status} instead of ${allowed.join(' or ')}`];
    const problems = problemsOf({ route: operation.name as RouteName, method: operation.method, path: operation.path, answer });
    if (status < 400) return problems;
    const error = body.error ?? (body as unknown as NonNullable<typeof body.error>);
    if (first?.status.includes(status) && !first.code.includes(error.code))
      problems.push(`code ${error.code} instead of ${first.code.join(' or ')}`);
    if (
      first?.field !== undefined &&
      status === 422 &&
      !Object.keys(error.details ?? {}).some((reported) => related(reported, first.field as string))
    )
      problems.push(`details name ${Object.keys(error.details ?? {}).join(', ')} and not ${first.field}`);
    return problems;
  }

  test('answers every invalid request with the right code and details, and continues to work', async () => {
    console.log(`BAD_INPUT_SEED=${SEED}`);
    const found = new Map<string, string>();
    let sent = 0;
    for (const [index, operation] of published.operations.entries()) {
      if (!operation.body && !operation.parameters.some((parameter) => parameter.in === 'query')) continue;
      const chance = random(SEED + index);
      const cases: Case[] = [];
      for (let tries = 0; cases.length < perRoute && tries < perRoute * 50; tries += 1) {
        const one = makeCase(operation, fixture, published.resolve, chance);
        if (one.breakages.length > 0 || (one.isCorrupted && !ONLY_WRONG.includes(operation.name))) cases.push(one);
      }
      expect([operation.name, cases.length]).toEqual([operation.name, perRoute]);
      const one = async (next: Case): Promise<void> => {
        sent += 1;
        const attempted = next.breakages.map(({ what }) => what).join(' + ') || 'a changed body';
        const problems = await send(operation.method, next.wire).then(
          (answer) => judge(operation, next, answer as Seen['answer']).map((problem) => `${problem}; ${answer.text.slice(0, 300)}`),
          (error: Error) => [`no answer: ${error.message} ${String(error.cause ?? '')}`],
        );
        for (const problem of problems) {
          const key = `${operation.name}: ${attempted} → ${problem.split(';')[0]}`;
          if (!found.has(key)) found.set(key, `${key}\n    sent: ${next.wire.body?.toString().slice(0, 300) ?? ''}\n    seen: ${problem}`);
        }
      };
      const inTurn = async (some: Case[]): Promise<void> => {
        for (let next = some.pop(); next; next = some.pop()) await one(next);
      };
      // Concurrent changes of one resource may get 503; invalid requests are sent all at once, because they are refused before that.
      const refused = cases.filter(({ breakages }) => breakages.length > 0);
      await Promise.all(Array.from({ length: AT_ONCE }, () => inTurn(refused)));
      await inTurn(cases.filter(({ breakages }) => breakages.length === 0));
    }
    expect(sent).toBeGreaterThan(20 * perRoute);
    if (found.size > 0)
      throw new Error(`seed ${SEED}: ${found.size} of ${sent} answers are wrong:\n${[...found.values()].slice(0, 40).join('\n')}`);

    expect(system.output()).not.toMatch(/unhandled|internal_error|TypeError|RangeError/i);
    expect((await client(system.ops)('GET', '/readyz')).status).toBe(200);
    expect((await account.test('POST', '/customers', { body: { name: 'Still here' } })).status).toBe(201);
  }, 300_000);
}
