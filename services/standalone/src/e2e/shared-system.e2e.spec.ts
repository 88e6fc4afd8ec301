import { testBadInput } from './testing/shared/bad-input.ts';
import { testDeadLetters } from './testing/shared/dead-letters.ts';
import { testJourney } from './testing/shared/journey.ts';
import { testLargestDocument } from './testing/shared/largest-document.ts';
import { testObservability, testStop } from './testing/shared/observability.ts';
import { testPublishedDocument } from './testing/shared/published-document.ts';
import { shareSystem } from './testing/shared/shared-system.ts';
import { testTenancy } from './testing/shared/tenancy.ts';

const shared = shareSystem();
describe('observability', () => testObservability(shared));
describe('dead letters', () => testDeadLetters(shared));
describe('tenancy', () => testTenancy(shared));
describe('published document', () => testPublishedDocument(shared));
describe('largest document', () => testLargestDocument(shared));
describe('bad input', () => testBadInput(shared));
describe('from nothing to a fiscal code', () => testJourney(shared));
describe('a system that stops', () => testStop(shared));
