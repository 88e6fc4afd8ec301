import { testBadInput } from './testing/shared/bad-input.ts';
import { shareSystem } from './testing/shared/shared-system.ts';

/** Each takes milliseconds: a minute or so in all. */
testBadInput(shareSystem(), 200);
