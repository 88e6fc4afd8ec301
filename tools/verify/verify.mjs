// npm run verify -- numbering <certificate.csv> <export.jsonl>: compares a saved certificate of numbers with an export of the series, without any server.
// Exits with 1 where they differ, with 2 where it is called otherwise.
import { readFileSync } from 'node:fs';
import { certificateOf, seriesOf, verifyNumbering } from './numbering.mjs';

const [what, certificateFile, exportFile] = process.argv.slice(2);
if (what !== 'numbering' || !certificateFile || !exportFile) {
  console.error('usage: npm run verify -- numbering <certificate.csv> <export.jsonl>');
  process.exit(2);
}

try {
  const certificate = certificateOf(readFileSync(certificateFile, 'utf8'));
  const { series, problems } = verifyNumbering(certificate, seriesOf(readFileSync(exportFile, 'utf8')));
  for (const { series_key, numbers, from, to, restored } of series) {
    const skipped = restored.map(([first, last]) => (first === last ? `${first}` : `${first} to ${last}`));
    console.log(
      `${series_key}: ${numbers} numbers, ${from} to ${to}${skipped.length > 0 ? `; skipped after a restore: ${skipped.join(', ')}` : ''}`,
    );
  }
  console.log(`sha256 ${certificate.sha256}`);
  for (const problem of problems.slice(0, 100)) console.error(problem);
  console.log(problems.length === 0 ? 'The certificate has every number of these series in its range.' : `${problems.length} differences`);
  process.exitCode = problems.length === 0 ? 0 : 1;
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}
