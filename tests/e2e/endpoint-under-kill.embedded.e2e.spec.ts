import { testEndpointUnderKill } from './testing/endpoint-under-kill.ts';

testEndpointUnderKill('one process', [20, 90, 170]);
