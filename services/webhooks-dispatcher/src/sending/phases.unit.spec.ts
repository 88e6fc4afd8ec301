import { phasesOf, reachedOf, type Times } from './phases.ts';
import { reasonOf, tooLate } from './reason.ts';

const none = { resolve: null, connect: null, tls: null, wait: null, body: null };
const began = 1_000;
const address: Times = { began, addressAt: 1_010, wasResolved: true };
const open = { at: 500 };
const fresh = { at: 1_040 };

test.each<[string, Times, object, ReturnType<typeof reachedOf>]>([
  ['no address yet', { began }, { resolve: 1_000 }, 'nothing'],
  ['no connection yet', { ...address, connected: { at: 0 } }, { resolve: 10, connect: 990 }, 'address'],
  ['no TLS yet', { ...address, connected: fresh }, { resolve: 10, connect: 30, tls: 960 }, 'connection'],
  ['no status yet', { ...address, connected: fresh, requestAt: 1_090 }, { resolve: 10, connect: 30, tls: 50, wait: 910 }, 'request'],
  [
    'a body that does not end',
    { ...address, connected: fresh, requestAt: 1_090, statusAt: 1_500 },
    { resolve: 10, connect: 30, tls: 50, wait: 410, body: 500 },
    'status',
  ],
  [
    'a connection that was open, and an address without a name',
    { began, addressAt: began, wasResolved: false, connected: open, requestAt: 1_200, statusAt: 1_300 },
    { wait: 300, body: 700 },
    'status',
  ],
])('%s', (_what, times, phases, reached) => {
  expect(phasesOf(times, 2_000, true)).toEqual({ ...none, ...phases });
  expect(reachedOf(times)).toBe(reached);
});

test('without TLS a connection is only made', () => {
  const times = { ...address, connected: { at: 1_040 }, requestAt: 1_041, statusAt: 1_100 };
  expect(phasesOf(times, 1_101, false)).toEqual({ resolve: 10, connect: 30, tls: null, wait: 60, body: 1 });
});

test('a clock that is set back makes no phase negative', () => {
  expect(phasesOf({ ...address, connected: open, requestAt: 900, statusAt: 800 }, 700, true)).toEqual({
    ...none,
    resolve: 10,
    wait: 0,
    body: 0,
  });
});

test.each([
  [{ code: 'ECONNREFUSED' }, /refused/],
  [{ code: 'ENOTFOUND' }, /^the name hooks\.example was not found$/],
  [{ code: 'DEPTH_ZERO_SELF_SIGNED_CERT' }, /^TLS failed: the certificate is self-signed$/],
  [{ code: 'CERT_SIGNATURE_FAILURE' }, /^TLS failed: the certificate is not valid/],
  [{ code: 'ERR_SSL_WRONG_VERSION_NUMBER' }, /^TLS failed/],
  [{ name: 'HTTPParserError', message: 'Expected HTTP/, RTSP/ or ICE/' }, /^the answer is not HTTP$/],
  [{ code: 'ENEW' }, /^the connection failed \(ENEW\)$/],
  [new Error('connect 10.0.0.1:99'), /^the connection failed$/],
  [{ name: 'ForbiddenAddress', message: 'hooks.example is not a public address' }, /^hooks\.example is not a public address$/],
])('%p in words', (error, words) => {
  expect(reasonOf(error, 'hooks.example')).toMatch(words);
});

test('an attempt without an answer says what it waited for', () => {
  expect(tooLate('request')).toBe('no complete answer within 30 seconds: no status came');
});
