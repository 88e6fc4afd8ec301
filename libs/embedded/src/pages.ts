// What a page of SQLite's file holds. A worker runs these functions from their source: they refer to nothing outside of them.

/**
 * Where a page of a table or index holds nothing: `[from, to)` in bytes. Empty for pages of other kinds, and where a page is not as SQLite describes it.
 * `start`: where its header is, 100 in the first page of a file and 0 in others. https://www.sqlite.org/fileformat2.html#b_tree_pages
 */
export function freeRanges(page: Buffer, start: number): [from: number, to: number][] {
  const type = page.readUInt8(start);
  if (![2, 5, 10, 13].includes(type)) return [];
  const cells = start + (type === 2 || type === 5 ? 12 : 8) + 2 * page.readUInt16BE(start + 3);
  const content = page.readUInt16BE(start + 5) || 65_536;
  if (content < cells || content > page.length) return [];
  const ranges: [number, number][] = [[cells, content]];
  for (let block = page.readUInt16BE(start + 1); block !== 0;) {
    const [next, size] = block < content || block + 4 > page.length ? [0, 0] : [page.readUInt16BE(block), page.readUInt16BE(block + 2)];
    if (size < 4 || block + size > page.length || (next !== 0 && next < block + size)) return [];
    ranges.push([block + 4, block + size]);
    block = next;
  }
  return ranges;
}

/** A row that goes on at the page `first`, counted from 1, with so many of its bytes. */
export interface LongRow {
  first: number;
  bytes: number;
}

/**
 * The rows of a page that go on at other pages. Empty where a page is not as SQLite describes it.
 * `usable`: bytes of a page without those that are reserved at its end. https://www.sqlite.org/fileformat2.html#cell_payload_overflow_pages
 */
export function longRows(page: Buffer, start: number, usable: number): LongRow[] {
  const type = page.readUInt8(start);
  const pointers = start + (type === 2 ? 12 : 8);
  const count = page.readUInt16BE(start + 3);
  if (![2, 10, 13].includes(type) || pointers + 2 * count > usable) return [];
  const least = Math.floor(((usable - 12) * 32) / 255) - 23;
  const most = type === 13 ? usable - 35 : Math.floor(((usable - 12) * 64) / 255) - 23;
  let at = 0;
  const varint = (): number => {
    for (let [value, n] = [0, 1]; ; n += 1) {
      const byte = page[at++] ?? 0;
      if (n === 9) return value * 256 + byte;
      value = value * 128 + (byte & 127);
      if (byte < 128) return value;
    }
  };
  const rows: LongRow[] = [];
  for (let n = 0; n < count; n += 1) {
    at = page.readUInt16BE(pointers + 2 * n) + (type === 2 ? 4 : 0);
    const bytes = varint();
    if (type === 13) varint(); // the key
    if (bytes <= most) continue;
    const fitting = least + ((bytes - least) % (usable - 4));
    const here = fitting <= most ? fitting : least;
    if (at + here + 4 > usable) return [];
    rows.push({ first: page.readUInt32BE(at + here), bytes: bytes - here });
  }
  return rows;
}
