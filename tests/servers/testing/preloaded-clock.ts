// Loaded before a service by --import: its clock is ahead by the milliseconds that stand in the file CLOCK_FILE, as that of a machine is that is set.
import { readFileSync } from 'node:fs';

const LOOK_EVERY_MS = 20;
const machine = Date.now;
let ahead = 0;
const look = (): void => {
  ahead = Number(readFileSync(process.env['CLOCK_FILE'] ?? '', 'utf8'));
};
look();
setInterval(look, LOOK_EVERY_MS).unref();
Date.now = () => machine() + ahead;
