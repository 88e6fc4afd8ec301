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
 * The numbers of each series, and the ranges that raises after a restore skip; raises that follow each other skip one range. Throws where lines are missing.
 * until 0.3: a raise by release 0.1.0 does not say where it began; in a series without numbers that is 1.
 * @returns {Map<string, { taken: Map<number, { number: string, document: string, issue_date: string }>, restored: [number, number][] }>}
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
    const before = own.restored.at(-1);
    if (before?.[1] === own.last && before) before[1] = data.seq;
    else own.restored.push([(own.last ?? data.after ?? 0) + 1, data.seq]);
    own.last = data.seq;
  } else if (type === 'NumberTaken') {
    if (own.last !== undefined && data.seq !== own.last + 1) throw new Error(`The series ${series_key} has ${data.seq} after ${own.last}.`);
    own.taken.set(data.seq, { number: data.number, document: data.document, issue_date: data.issue_date });
    own.last = data.seq;
  }
}

/**
 * Whether the certificate has, of each of its series, every number from its first to its last, as the series has them, and with a period every number of it, of all
 * series. What became of a document is not in its series, and not compared. `restored`: what raises skip between its numbers, before the first and behind the last one, without numbers that the
 * certificate has: reports may know a document that the restored series has lost.
 * @param {Pick<ReturnType<typeof certificateOf>, 'rows'>} certificate
 * @param {ReturnType<typeof seriesOf>} exported
 * @param {{ from: string, to: string }} [period] of issue dates, inclusive
 * @returns {{ series: { series_key: string, numbers: number, from: number, to: number, restored: [number, number][] }[], problems: string[] }}
 */
export function verifyNumbering({ rows }, exported, period) {
  const problems = [];
  const isOf = ({ issue_date }) => period !== undefined && issue_date >= period.from && issue_date <= period.to;
  const series = [...Map.groupBy(rows, ({ series_key }) => series_key)].map(([series_key, own]) => {
    const { taken, restored } = exported.get(series_key) ?? { taken: new Map(), restored: [] };
    const counts = own.map(({ seq }) => seq);
    const [from, to] = [counts.reduce((a, b) => Math.min(a, b)), counts.reduce((a, b) => Math.max(a, b))];
    const listed = new Set(counts);
    if (listed.size !== counts.length) problems.push(`${series_key}: the certificate has a number twice`);
    const isSkipped = (seq) => restored.some(([first, last]) => first <= seq && seq <= last);
    for (const row of own) if (!isSkipped(row.seq)) problems.push(...differences(row, taken.get(row.seq)));
    let [before, after] = [-Infinity, Infinity];
    for (const [seq, own] of taken) {
      if (seq < from) before = Math.max(before, seq);
      else if (seq > to) after = Math.min(after, seq);
      if (!listed.has(seq) && ((seq > from && seq < to) || isOf(own))) problems.push(absent(series_key, own));
    }
    const near = restored.filter(([first, last]) => first > before && last < after);
    return { series_key, numbers: counts.length, from, to, restored: near.flatMap((range) => without(range, listed)) };
  });
  const certified = new Set(series.map(({ series_key }) => series_key));
  for (const [series_key, { taken }] of exported)
    if (!certified.has(series_key)) for (const own of taken.values()) if (isOf(own)) problems.push(absent(series_key, own));
  return { series, problems };
}

const absent = (series_key, { number, document }) => `${series_key}: ${number} of ${document} is not in the certificate`;

/** The parts of a range that are not listed. */
function without([first, last], listed) {
  const inside = [...listed].filter((seq) => first <= seq && seq <= last).sort((a, b) => a - b);
  const edges = [first - 1, ...inside, last + 1];
  return edges.slice(1).flatMap((edge, n) => (edges[n] + 1 < edge ? [[edges[n] + 1, edge - 1]] : []));
}

function differences({ series_key, seq, number, document }, taken) {
  if (!taken) return [`${series_key}: the series has no number ${seq}`];
  const differs = (name, one, other) => (one === other ? [] : [`${series_key}: ${seq} has the ${name} ${one}, and ${other} in the series`]);
  return [...differs('number', number, taken.number), ...differs('document', document, taken.document)];
}
