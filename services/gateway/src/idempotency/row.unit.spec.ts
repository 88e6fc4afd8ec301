import { createHash } from 'node:crypto';
import { fingerprint } from './row.ts';

const request = { method: 'POST', path: '/invoices/preview', query: '', body: Buffer.from('{}') };

test('a fingerprint covers method, path, query and body', () => {
  const others = [
    { ...request, query: 'explain=true' },
    { ...request, query: 'explain=false' },
    { ...request, path: '/invoices' },
    { ...request, body: Buffer.from('{} ') },
    { ...request, body: undefined },
    { ...request, method: 'PUT' },
  ];
  expect(new Set([request, ...others].map(fingerprint)).size).toBe(others.length + 1);
});

test('without a query it is the one that earlier releases have stored', () => {
  const stored = createHash('sha256').update('POST /invoices/preview\n').update('{}').digest('base64url');
  expect(fingerprint(request)).toBe(stored);
});
