import { BadRequestException, HttpException, NotFoundException } from '@nestjs/common';
import { Conflict, Denied, invalid, OutcomeUnknown, DomainError } from '@svc/kernel';
import { errorPayload } from './payload.ts';
import { statusOf } from './status.ts';
import { toDomainError } from './to-domain-error.ts';

const bodyOf = (payload: { body: string }): unknown => JSON.parse(payload.body);

/** Longer than what is read. */
const LONG = `application/problem+json,${'text/html,'.repeat(100)}`;

describe('an error in a response', () => {
  test('has code, message, request_id, and details with issues only where there are some', () => {
    const plain = errorPayload(new DomainError('not_found', 'Gone.'), 'req_1');
    expect([plain.status, plain.contentType, bodyOf(plain)]).toEqual([
      404,
      'application/json; charset=utf-8',
      { error: { code: 'not_found', message: 'Gone.', request_id: 'req_1' } },
    ]);
    expect(bodyOf(errorPayload(invalid({ name: ['Too long.'] }), 'req_1'))).toMatchObject({
      error: { details: { name: ['Too long.'] }, issues: [{ field: 'name', rule: 'invalid', params: {} }] },
    });
  });

  test('is RFC 9457 when requested', () => {
    const problem = errorPayload(invalid({ name: ['Too long.'] }), 'req_1', 'Application/Problem+JSON, application/json');
    expect(problem.contentType).toBe('application/problem+json; charset=utf-8');
    expect(bodyOf(problem)).toEqual({
      type: '/docs/errors/validation_error',
      title: 'Validation error',
      status: 422,
      detail: expect.stringContaining('name'),
      code: 'validation_error',
      request_id: 'req_1',
      details: { name: ['Too long.'] },
      issues: [{ field: 'name', rule: 'invalid', params: {} }],
    });
  });

  test('leads to the page of its code', () => {
    const { body } = errorPayload(new DomainError('not_found', 'Gone.'), 'req_1', 'application/problem+json', 'https://api.example');
    expect(JSON.parse(body)).toMatchObject({ type: 'https://api.example/docs/errors/not_found', code: 'not_found' });
  });

  test.each([
    ['application/problem+json', true],
    ['text/html, Application/Problem+JSON', true],
    ['application/problem+json, application/json;q=0.9', true],
    ['application/json;q=0.2, application/problem+json;q=0.8', true],
    ['application/problem+json, */*', true],
    ['application/problem+json;q=0, application/json', false],
    ['application/problem+json;q=0', false],
    ['application/problem+json;q=0, */*', false],
    ['application/json, application/problem+json;q=0.5', false],
    ['*/*', false],
    ['application/*', false],
    ['application/problem+jsonx', false],
    [';;,=application/problem+json;q=x', false],
    ['', false],
    [LONG, false],
  ])('Accept: %s', (accept, isProblem) => {
    const { contentType } = errorPayload(invalid({}), 'req_1', accept);
    expect(contentType.startsWith('application/problem+json')).toBe(isProblem);
  });

  test('has Retry-After in whole seconds, at least one, and always on 503', () => {
    const retryAfter = (seconds?: number, code: DomainError['code'] = 'rate_limit_exceeded') =>
      errorPayload(new DomainError(code, 'x', undefined, seconds), 'req_1').retryAfter;
    expect([
      retryAfter(0.2),
      retryAfter(1.2),
      retryAfter(0),
      retryAfter(undefined, 'service_unavailable'),
      retryAfter(undefined, 'not_found'),
    ]).toEqual([1, 2, 1, 1, undefined]);
  });
});

describe('the domain error of an exception', () => {
  test.each([
    [new DomainError('invalid_state', 'x'), 422, 'invalid_state'],
    [new Conflict('s', 1n, 2n), 503, 'service_unavailable'],
    [new OutcomeUnknown(), 500, 'outcome_unknown'],
    [new Denied({ server: 'S', user: 'hunter2', right: 'read $all', code: 7 }), 503, 'service_unavailable'],
    [new NotFoundException('Cannot GET /x'), 404, 'not_found'],
    [new BadRequestException(), 400, 'invalid_request'],
    [new HttpException('Payload Too Large', 413), 413, 'payload_too_large'],
    [new HttpException('Unsupported', 415), 415, 'unsupported_media_type'],
    [Object.assign(new Error('aborted'), { code: 'ECONNRESET', statusCode: 400 }), 400, 'invalid_request'],
    [new Error('db password is hunter2'), 500, 'internal_error'],
    ['thrown text', 500, 'internal_error'],
  ])('%p', (error, status, code) => {
    const known = toDomainError(error);
    expect([statusOf(known.code), known.code]).toEqual([status, code]);
    expect(known.message).not.toMatch(/hunter2|Cannot GET|thrown/);
  });
});
