import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { descriptionOf } from '../describe/description.ts';
import { acceptedIn, type Accepted } from './accepted.ts';
import { compareWithReleases } from './gate.ts';

let folder: string;
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'svc-releases-'))));
afterEach(() => rmSync(folder, { recursive: true }));

const file = 'stored-events/submission.SubmissionOpened.schema.json';

/** Writes a release of fiscal-submission that is this commit, except for `replace` in one file. */
async function release(version: string, replace: (text: string) => string): Promise<void> {
  const texts = new Map(await descriptionOf('fiscal-submission')).set('release.json', '{}');
  for (const [path, text] of texts) {
    const target = join(folder, 'fiscal-submission', version, path);
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, path === file ? replace(text) : text);
  }
}

/** The release has an event in which the authority may be null; this commit expects a text. */
const nullable = (text: string): string =>
  text.replace('"authority": {\n     "type": "string"', '"authority": {\n     "type": ["string","null"]');
/** The release knows one kind of document less than this commit stores. */
const lessKinds = (text: string): string => text.replace(/"receipt"/, '"other"');

test('without a release it passes and says that there is nothing to compare with', async () => {
  const { lines, isPassed } = await compareWithReleases(folder, []);
  expect(isPassed).toBe(true);
  expect(lines.join('\n')).toMatch(/holds no release yet: nothing to compare with/);
});

test('compares with every release, and its message says what broke, for whom, and what to do instead', async () => {
  await release('0.9.0', nullable);
  await release('0.10.0', (text) => text);
  const { lines, isPassed } = await compareWithReleases(folder, []);
  expect(isPassed).toBe(false);
  expect(lines.slice(0, -2)).toEqual([
    'fiscal-submission: compared with 0.9.0, 0.10.0',
    '',
    `✗ submission.SubmissionOpened /data/authority: a stored event can hold null; today’s code expects string only
  For this commit, which reads what these releases stored: streams stay for ever (releases 0.9.0).
  Instead: go on reading the old form: keep the field or make it optional, or raise the version of the event and add an upcast, with a spec of the old JSON.
  Break: stored submission.SubmissionOpened /data/authority read null`,
  ]);
});

test('a break is accepted by its id with a reason; what stands in stores cannot be accepted, and an entry that is not needed is named', async () => {
  await release('0.1.0', lessKinds);
  const because = 'Receipts are not written yet.';
  const written = { break: 'stored submission.SubmissionOpened /data/kind written value "receipt"', because };
  const read = { break: 'stored submission.SubmissionOpened /data/kind read value "other"', because };
  const left = async (...accepted: Accepted[]): Promise<string[]> => {
    const { lines } = await compareWithReleases(folder, accepted);
    return lines.flatMap((line) => line.split('\n').filter((text) => /Break:|^accepted|^tools/.test(text)));
  };
  expect(await left()).toEqual([`  Break: ${read.break}`, `  Break: ${written.break}`]);
  expect(await left({ because, break: 'stored submission.* /data/kind written *' })).toEqual([
    `accepted: ${written.break}: ${because}`,
    `  Break: ${read.break}`,
  ]);
  expect(await left({ ...written, break: 'public x / topic' })).toContain(
    'tools/contracts/accepted.json: public x / topic is no break: delete the entry',
  );
  expect(await left(written, read)).toEqual([
    `accepted: ${written.break}: ${because}`,
    `  Break: ${read.break}`,
    `tools/contracts/accepted.json: ${read.break} cannot be accepted: it is stored`,
  ]);
  expect(await left({ ...read, isStoredNowhere: true })).toEqual([`accepted: ${read.break}: ${because}`, `  Break: ${written.break}`]);
  expect(await left({ ...written, break: [written.break, 'public x / topic'] })).toContain(
    'tools/contracts/accepted.json: public x / topic is no break: delete the entry',
  );
});

test('accepted breaks are printed where they are new, and counted otherwise', async () => {
  await release('0.1.0', (text) => text);
  const because = 'No release before runs any more.';
  expect((await compareWithReleases(folder, [])).services['fiscal-submission']?.formats).toEqual([]);
  await release('0.1.0', lessKinds);
  const accepted = [{ break: 'stored submission.*', because, isStoredNowhere: true as const }];
  const first = await compareWithReleases(folder, accepted);
  expect(first.lines.filter((line) => line.startsWith('accepted: '))).toHaveLength(2);
  expect(first.services['fiscal-submission']).toEqual({ accepted: first.harmless.map((id) => ({ id, because })), formats: [file] });
  const again = await compareWithReleases(folder, accepted, new Set(first.harmless.slice(1)));
  expect(again.lines.filter((line) => line.startsWith('accepted: '))).toEqual([`accepted: ${first.harmless[0]}: ${because}`]);
  expect(again.lines).toContain('1 accepted breaks, as before: npm run gate -- --all names them');
});

test('passes when every break is accepted', async () => {
  await release('0.1.0', (text) =>
    text.replace('"simulate": {\n     "type": [\n      "string",\n      "null"\n     ]', '"simulate": {\n     "type": "string"'),
  );
  const accepted = [
    { break: 'stored submission.SubmissionOpened /data/simulate written null', because: 'No release before runs any more.' },
  ];
  expect((await compareWithReleases(folder, [])).isPassed).toBe(false);
  expect((await compareWithReleases(folder, accepted)).isPassed).toBe(true);
});

test('each entry of accepted.json has a reason', () => {
  const path = join(folder, 'accepted.json');
  writeFileSync(path, '[{"break":"public x / topic"}]');
  expect(() => acceptedIn(path)).toThrow(/"because", the reason/);
});
