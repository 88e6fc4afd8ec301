// Loaded before a server's own code (`node --import`): writes to the file SERIALIZATIONS how many texts of at least 200 characters JSON.stringify has made.
import { writeFileSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';

const LONG = 200;
const EVERY_MS = 20;
const stringify = JSON.stringify;
let [made, written] = [0, -1];
JSON.stringify = (...args) => {
  const text = stringify(...args);
  if (text?.length >= LONG) made += 1;
  return text;
};
function write() {
  if (made === written) return;
  written = made;
  writeFileSync(process.env.SERIALIZATIONS, String(made));
}
if (isMainThread) setInterval(write, EVERY_MS).unref();
