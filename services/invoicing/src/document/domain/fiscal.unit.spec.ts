import { isNews, pending, type Delay, type Fiscal, type FiscalError } from './fiscal.ts';

const error = (code: string, fixable: FiscalError['fixable'] = null): FiscalError => ({ code, message: 'm', fixable });
const fiscal = (over: Partial<Fiscal> = {}): Fiscal => ({ ...pending('sandbox'), ...over });
const delay = (over: Partial<Delay> = {}): Delay => ({
  ...{ status: 'pending', error: error('a'), attempts: 1, last_attempt_at: null, next_attempt_at: null },
  ...over,
});

test.each<[string, Fiscal, Delay, boolean]>([
  ['a first error', fiscal(), delay(), true],
  ['the same again', fiscal({ error: error('a'), attempts: 1 }), delay({ attempts: 2 }), false],
  ['another code', fiscal({ error: error('a'), attempts: 1 }), delay({ error: error('b'), attempts: 2 }), true],
  [
    'the same code with another cure',
    fiscal({ error: error('a'), attempts: 1 }),
    delay({ error: error('a', 'credentials'), attempts: 2 }),
    true,
  ],
  ['an earlier error, delivered again', fiscal({ error: error('b'), attempts: 2 }), delay({ attempts: 1 }), false],
  ['no error', fiscal({ error: error('a'), attempts: 1 }), delay({ error: null, attempts: 2 }), false],
  ['a doubt', fiscal({ error: error('a'), attempts: 1 }), delay({ status: 'unknown', attempts: 2 }), true],
  [
    'a doubt, delivered again',
    fiscal({ status: 'unknown', error: error('a'), attempts: 2 }),
    delay({ status: 'unknown', attempts: 2 }),
    false,
  ],
  ['an error from before the doubt', fiscal({ status: 'unknown', error: error('a'), attempts: 2 }), delay({ error: error('b') }), false],
  [
    'credentials after a doubt',
    fiscal({ status: 'unknown', error: error('a'), attempts: 2 }),
    delay({ status: 'unknown', error: error('C7', 'credentials'), attempts: 4 }),
    true,
  ],
  ['a review', fiscal({ status: 'unknown', attempts: 2 }), delay({ status: 'needs_review', attempts: 2 }), true],
  ['a doubt after a person was asked', fiscal({ status: 'needs_review', attempts: 2 }), delay({ status: 'unknown', attempts: 3 }), false],
])('news: %s', (_, known, delay, isOne) => expect(isNews(known, delay)).toBe(isOne));
