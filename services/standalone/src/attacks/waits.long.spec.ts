import { waitsAttack } from './testing/waits.ts';

waitsAttack('one process');
