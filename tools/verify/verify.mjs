// npm run verify -- evidence <zip or folder>: checks a bundle of evidence, as the verify.mjs in it does.
// npm run verify -- numbering <certificate.csv> <export.jsonl> [<from> <to>]: compares a saved certificate of numbers with an export of the series, without any
// server. With the period of the certificate, two days, also whether numbers before its first or behind its last one, or a whole series, are missing from it.
// Exits with 1 where they differ, with 2 where it is called otherwise.
import { readFileSync } from 'node:fs';
import { printVerified } from '../../services/fiscal-submission/src/evidence/verify.mjs';
import { certificateOf, seriesOf, verifyNumbering } from './numbering.mjs';

const [what, certificateFile, exportFile, from, to] = process.argv.slice(2);
if (what === 'evidence' && certificateFile) process.exit(printVerified(certificateFile));
const isDay = (text) => /^\d{4}-\d\d-\d\d$/.test(text ?? '');
const isPeriod = from === undefined || (isDay(from) && isDay(to));
if (what !== 'numbering' || !certificateFile || !exportFile || !isPeriod) {
  console.error('usage: npm run verify -- evidence <zip>, or npm run verify -- numbering <certificate.csv> <export.jsonl> [<from> <to>]');
  process.exit(2);
}

try {
  const certificate = certificateOf(readFileSync(certificateFile, 'utf8'));
  const period = from === undefined ? undefined : { from, to };
  const { series, problems } = verifyNumbering(certificate, seriesOf(readFileSync(exportFile, 'utf8')), period);
  for (const { series_key, numbers, from, to, restored } of series) {
    const skipped = restored.map(([first, last]) => (first === last ? `${first}` : `${first} to ${last}`));
    console.log(
      `${series_key}: ${numbers} numbers, ${from} to ${to}${skipped.length > 0 ? `; skipped after a restore: ${skipped.join(', ')}` : ''}`,
    );
  }
  console.log(`sha256 ${certificate.sha256}`);
  for (const problem of problems.slice(0, 100)) console.error(problem);
  const whole = period ? `every number from ${from} to ${to}` : 'every number of these series between its first and its last';
  console.log(problems.length === 0 ? `The certificate has ${whole}.` : `${problems.length} differences`);
  process.exitCode = problems.length === 0 ? 0 : 1;
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}
