import { waitsAttack } from './testing/waits.ts';

waitsAttack('services');
