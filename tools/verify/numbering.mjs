// A certificate of numbers (the CSV of the report `numbering`, of all kinds and currencies) against the streams of the series.
import { createHash } from 'node:crypto';

const COLUMNS = 'series,series_key,number,seq,document_id,issued_at,fate';
const MARK = '\uFEFF';

/**
 * Its rows, and the SHA-256 of its data lines, each with a line feed. Throws for another file.
 * @returns {{ sha256: string, rows: { series_key: string, number: string, seq: number, document: string }[] }}
 */
export function certificateOf(text) {
  const [header, ...lines] = recordsOf(text.startsWith(MARK) ? text.slice(MARK.length) : text);
  if (header !== COLUMNS) throw new Error(`The certificate does not begin with the line ${COLUMNS}.`);
  const hash = createHash('sha256');
  const rows = lines.map((line) => {
    hash.update(`${line}\n`);
    const [, series_key, number, seq, document] = cellsOf(line);
    return { series_key, number, seq: Number(seq), document };
  });
  return { sha256: hash.digest('hex'), rows };
}

/** Lines end with CRLF; a quoted cell may have a line feed. */
const recordsOf = (text) => text.split('\r\n').filter((line) => line !== '');

/** An apostrophe guards a text that a spreadsheet would calculate. */
const cellsOf = (line) =>
  [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/gs)].map(([, quoted, plain]) =>
    (quoted?.replaceAll('""', '"') ?? plain).replace(/^'(?=[=+\-@\t\r])/, ''),
  );

/**
 * The numbers of each series, and the counts that an operator has raised it to. Throws where lines are missing.
 * @returns {Map<string, { taken: Map<number, { number: string, document: string }>, raised: Set<number>, after: Map<number, number> }>} `after`: of a raise, the count before it
 */
export function seriesOf(text) {
  const lines = text.split('\n').filter((line) => line !== '');
  const { events } = JSON.parse(lines.pop() ?? '{}');
  if (events !== lines.length) throw new Error('The export has not all of its lines: its last one says how many there are.');
  const series = new Map();
  for (const line of lines) add(series, JSON.parse(line));
  return series;
}

function add(series, { series_key, revision, type, data }) {
  const own = series.get(series_key) ?? { length: 0, last: undefined, taken: new Map(), restored: [] };
  series.set(series_key, own);
  if (revision !== String(own.length)) throw new Error(`The export lacks event ${own.length} of the series ${series_key}.`);
  own.length += 1;
  if (type === 'NumbersRaised') {
    if (own.last !== undefined) own.restored.push([own.last + 1, data.seq]);
    own.last = data.seq;
  } else if (type === 'NumberTaken') {
    if (own.last !== undefined && data.seq !== own.last + 1) throw new Error(`The series ${series_key} has ${data.seq} after ${own.last}.`);
    own.taken.set(data.seq, { number: data.number, document: data.document });
    own.last = data.seq;
  }
}

/**
 * Whether the certificate has, of each of its series, every number from its first to its last, as the series has them. What became of a document is not in
 * its series, and not compared.
 * @returns {{ series: { series_key: string, numbers: number, from: number, to: number, restored: [number, number][] }[], problems: string[] }}
 */
export function verifyNumbering({ rows }, exported) {
  const problems = [];
  const series = [...Map.groupBy(rows, ({ series_key }) => series_key)].map(([series_key, own]) => {
    const { taken, restored } = exported.get(series_key) ?? { taken: new Map(), restored: [] };
    const counts = own.map(({ seq }) => seq);
    const [from, to] = [counts.reduce((a, b) => Math.min(a, b)), counts.reduce((a, b) => Math.max(a, b))];
    if (new Set(counts).size !== counts.length) problems.push(`${series_key}: the certificate has a number twice`);
    for (const row of own) problems.push(...differences(row, taken.get(row.seq)));
    const listed = new Set(counts);
    for (const [seq, { number, document }] of taken)
      if (seq > from && seq < to && !listed.has(seq)) problems.push(`${series_key}: ${number} of ${document} is not in the certificate`);
    return { series_key, numbers: counts.length, from, to, restored: restored.filter(([first, last]) => first > from && last < to) };
  });
  return { series, problems };
}

function differences({ series_key, seq, number, document }, taken) {
  if (!taken) return [`${series_key}: the series has no number ${seq}`];
  const differs = (name, one, other) => (one === other ? [] : [`${series_key}: ${seq} has the ${name} ${one}, and ${other} in the series`]);
  return [...differs('number', number, taken.number), ...differs('document', document, taken.document)];
}
