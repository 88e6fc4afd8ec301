import { storageAttack } from './testing/storage.ts';

storageAttack('one process');
