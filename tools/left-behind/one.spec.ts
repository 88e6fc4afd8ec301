import { leaveTraces } from './testing/leave.ts';

// Run after the other one in the same process by ../test-runtime.spec.ts.
test('a test file finds the process as Node starts it', leaveTraces);
