// Archives of charts. Helm writes the charts in a chart in any order, so that two archives of the same umbrella differ.
import { readFileSync, writeFileSync } from 'node:fs';
import { buffer } from 'node:stream/consumers';
import { gunzipSync, gzipSync } from 'node:zlib';
import { extract, pack } from 'tar-stream';

/** Sorts the files in an archive by their names. */
export async function sortArchive(/** @type {string} */ path) {
  const sorted = pack();
  for (const { header, content } of await entriesOf(path)) sorted.entry({ ...header, pax: undefined }, content);
  sorted.finalize();
  writeFileSync(path, gzipSync(await buffer(sorted)));
}

/** Whether two archives have the same files, however they are compressed. */
export async function haveEqualFiles(/** @type {string} */ one, /** @type {string} */ other) {
  const [some, others] = [await entriesOf(one), await entriesOf(other)];
  const equal = ({ header: { name }, content }, n) => name === others[n]?.header.name && content.equals(others[n].content);
  return some.length === others.length && some.every(equal);
}

async function entriesOf(path) {
  const reader = extract();
  reader.end(gunzipSync(readFileSync(path)));
  const entries = [];
  for await (const entry of reader) entries.push({ header: entry.header, content: await buffer(entry) });
  return entries.sort((a, b) => (a.header.name < b.header.name ? -1 : 1));
}
