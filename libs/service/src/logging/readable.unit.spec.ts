import { readable } from './readable.ts';

const line = {
  level: 40,
  time: '2026-11-22T12:03:04.567Z',
  service: 'gateway',
  status: 503,
  route: 'GET /invoices/{id}',
  msg: 'request failed',
};

describe('a line for a terminal', () => {
  test('is the time, the level, the service, the message and the fields', () => {
    expect(readable(`${JSON.stringify(line)}\n`)).toBe('12:03:04.567 WARN  gateway request failed status=503 route="GET /invoices/{id}"\n');
  });

  test('has an error’s stack below it', () => {
    const text = readable(JSON.stringify({ ...line, err: { message: 'x', stack: 'Error: x\n    at y' } }));
    expect(text).toMatch(/"\n {4}Error: x\n {8}at y\n$/);
  });

  test('contains no control characters of a caller', () => {
    const text = readable(JSON.stringify({ ...line, msg: 'a\u001b[2J', client_request_id: '\u009b2J \u001b[1m' }));
    expect(text).not.toMatch(/[\u001b\u009b]/);
  });

  test('is unchanged if it is not a JSON object', () => {
    expect([readable('Ready.\n'), readable('{ no\n')]).toEqual(['Ready.\n', '{ no\n']);
  });
});
