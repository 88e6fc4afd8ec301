import { testEndpointUnderKill } from '../e2e/testing/endpoint-under-kill.ts';

testEndpointUnderKill('services', [80]);
