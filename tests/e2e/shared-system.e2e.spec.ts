import { testBadInput } from './testing/shared/bad-input.ts';
import { testDeadLetters } from './testing/shared/dead-letters.ts';
import { testErasure } from './testing/shared/erasure.ts';
import { testFiscalNews } from './testing/shared/fiscal-news.ts';
import { testJourney } from './testing/shared/journey.ts';
import { testLargestDocument } from './testing/shared/largest-document.ts';
import { testObservability, testStop } from './testing/shared/observability.ts';
import { testPublishedDocument } from './testing/shared/published-document.ts';
import { testReadme } from './testing/shared/readme.ts';
import { testResolution } from './testing/shared/resolution.ts';
import { shareSystem } from './testing/shared/shared-system.ts';
import { testTenancy } from './testing/shared/tenancy.ts';
import { testUsedMetrics } from './testing/shared/used-metrics.ts';

const shared = shareSystem();
describe('observability', () => testObservability(shared));
describe('metrics that rules and dashboards use', () => testUsedMetrics(shared));
describe('dead letters', () => testDeadLetters(shared));
describe('tenancy', () => testTenancy(shared));
describe('a resolution by hand', () => testResolution(shared));
describe('documents that wait', () => testFiscalNews(shared));
describe('published document', () => testPublishedDocument(shared));
describe('largest document', () => testLargestDocument(shared));
describe('erasure', () => testErasure(shared));
/** `bad-input.embedded.long.spec.ts` has more. */
describe('bad input', () => testBadInput(shared, 30));
describe('README.md', () => testReadme(shared));
describe('from nothing to a fiscal code', () => testJourney(shared));
describe('a system that stops', () => testStop(shared));
