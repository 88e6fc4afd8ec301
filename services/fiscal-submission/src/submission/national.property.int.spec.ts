import { testNationalSchedules } from './testing/national-property.ts';

/** `national.property.long.spec.ts` has more. */
testNationalSchedules({ runs: 5 });
