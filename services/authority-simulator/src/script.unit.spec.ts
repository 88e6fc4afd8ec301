import { scriptOf } from './answer.ts';

test.each([
  ['', { kind: 'accept' }],
  ['accept', { kind: 'accept' }],
  ['lost_reply:2', { kind: 'once', fault: 'lost_reply' }],
  ['unavailable:12', { kind: 'unavailable', calls: 12 }],
  ['unavailable', { kind: 'unavailable', calls: 0 }],
  ['unavailable:999999999', { kind: 'unavailable', calls: 10_000 }],
  ['slow:-5', { kind: 'slow', ms: 0 }],
  ['slow:99999999', { kind: 'slow', ms: 600_000 }],
  ['reject:', { kind: 'reject', code: 'SBX-1001', fix: 'data', once: false }],
  ['reject:a:b', { kind: 'reject', code: 'a:b', fix: 'data', once: false }],
  ['constructor', { kind: 'accept' }],
])('%s', (simulate, script) => expect(scriptOf(simulate)).toEqual(script));
