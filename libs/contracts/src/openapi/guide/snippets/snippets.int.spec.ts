import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { webhookVectors } from '../../../testing/webhook-vectors.ts';
import { fileOf, snippets, type SnippetLanguage } from './snippets.ts';

/** A line for each secret of each vector, which every language reads without a parser of JSON: fields in base64, divided by blanks. */
const questions = webhookVectors.flatMap(({ name, secrets, now, headers, body_base64 }) => {
  const sent = new Map(Object.entries(headers).map(([header, value]) => [header.toLowerCase(), value]));
  const names = ['x-service-signature', 'webhook-id', 'webhook-timestamp', 'webhook-signature'];
  const texts = names.map((header) => sent.get(header) ?? '');
  return secrets.map((secret) => ({
    name,
    line: [String(now), secret, ...texts]
      .map((text) => `=${Buffer.from(text).toString('base64')}`)
      .concat(`=${body_base64}`)
      .join(' '),
  }));
});

/** What a language answers to each question: by `X-Service-Signature`, and by `webhook-signature`. */
type Answer = [service: boolean, standard: boolean];

/** How each language reads the questions and prints an answer for each: `10` is genuine by the first alone. */
const programs: Record<SnippetLanguage, { file: string; command: string[]; version: string; code: string }> = {
  typescript: {
    file: 'main.mts',
    command: [process.execPath],
    version: '--version',
    code: `${fileOf('typescript')}
import { readFileSync } from 'node:fs';
for (const line of readFileSync(process.argv[2]!, 'utf8').trim().split('\\n')) {
  const fields = line.split(' ').map((field) => Buffer.from(field.slice(1), 'base64'));
  const [now, secret, signature, id, timestamp, signatures] = fields.map(String) as [string, string, string, string, string, string];
  const body = fields.at(-1)!;
  const genuine = [isGenuine(body, signature, secret), isGenuineNow(body, { id, timestamp, signatures }, secret, Number(now))];
  console.log(genuine.map(Number).join(''));
}`,
  },
  python: {
    file: 'main.py',
    command: ['python3'],
    version: '--version',
    code: `${fileOf('python')}

import sys
for line in open(sys.argv[1]).read().splitlines():
    *texts, body = (base64.b64decode(field[1:]) for field in line.split(" "))
    now, secret, signature, id, timestamp, signatures = (text.decode() for text in texts)
    genuine = [is_genuine(body, signature, secret), is_genuine_now(body, id, timestamp, signatures, secret, int(now))]
    print("".join(str(int(one)) for one in genuine))`,
  },
  go: {
    file: 'main.go',
    command: ['go', 'run'],
    version: 'version',
    code: `${fileOf('go').replace('import (', 'import (\n\t"fmt"\n\t"os"')}
func main() {
	content, _ := os.ReadFile(os.Args[1])
	for _, line := range strings.Split(strings.TrimSpace(string(content)), "\\n") {
		fields := []string{}
		for _, field := range strings.Split(line, " ") {
			text, _ := base64.StdEncoding.DecodeString(field[1:])
			fields = append(fields, string(text))
		}
		now, _ := strconv.ParseInt(fields[0], 10, 64)
		headers := http.Header{}
		for n, name := range []string{"webhook-id", "webhook-timestamp", "webhook-signature"} {
			headers.Set(name, fields[3+n])
		}
		body := []byte(fields[6])
		digits := map[bool]string{true: "1", false: "0"}
		fmt.Println(digits[IsGenuine(body, fields[2], fields[1])] + digits[IsGenuineNow(body, headers, fields[1], time.Unix(now, 0))])
	}
}`,
  },
  php: {
    file: 'main.php',
    command: ['php'],
    version: '--version',
    code: `${fileOf('php')}
foreach (file($argv[1], FILE_IGNORE_NEW_LINES) as $line) {
    $fields = array_map(fn ($field) => base64_decode(substr($field, 1)), explode(' ', $line));
    [$now, $secret, $signature, $id, $timestamp, $signatures, $body] = $fields;
    echo (int) is_genuine($body, $signature, $secret), (int) is_genuine_now($body, $id, $timestamp, $signatures, $secret, (int) $now), "\\n";
}`,
  },
  java: {
    file: 'Main.java',
    command: ['java'],
    version: '-version',
    code: `import java.nio.file.Files;
import java.nio.file.Path;
${fileOf('java').replace(
  'final class Webhooks',
  `class Main {
  public static void main(String[] args) throws Exception {
    for (String line : Files.readAllLines(Path.of(args[0]))) {
      String[] fields = line.split(" ");
      String[] texts = new String[6];
      for (int n = 0; n < 6; n += 1) texts[n] = new String(Base64.getDecoder().decode(fields[n].substring(1)), StandardCharsets.UTF_8);
      byte[] body = Base64.getDecoder().decode(fields[6].substring(1));
      boolean service = Webhooks.isGenuine(body, texts[2], texts[1]);
      Instant now = Instant.ofEpochSecond(Long.parseLong(texts[0]));
      boolean standard = Webhooks.isGenuineNow(body, texts[3], texts[4], texts[5], texts[1], now);
      System.out.println((service ? "1" : "0") + (standard ? "1" : "0"));
    }
  }
}

final class Webhooks`,
)}`,
  },
};

let folder: string;
let file: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'snippets-'));
  file = join(folder, 'questions');
  writeFileSync(file, questions.map(({ line }) => `${line}\n`).join(''));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The outcome of a vector holds for all of its secrets together: one that fits suffices. */
function outcomesBy(answers: readonly Answer[]): [string, { 'webhook-signature': boolean; 'x-service-signature': boolean }][] {
  const found = new Map<string, Answer>();
  for (const [n, [service, standard]] of answers.entries()) {
    const name = questions[n]?.name ?? '';
    const before = found.get(name) ?? [false, false];
    found.set(name, [before[0] || service, before[1] || standard]);
  }
  return [...found].map(([name, [service, standard]]) => [name, { 'webhook-signature': standard, 'x-service-signature': service }]);
}

for (const [language, { file: name, command, version, code }] of Object.entries(programs)) {
  const [program = '', ...args] = command;
  // Skipped without the language: a user's machine need not have all five. CI installs what Debian has.
  const isHere = !spawnSync(program, [version], { stdio: 'ignore' }).error;
  (isHere ? test : test.skip)(`the snippet of ${language} takes what is genuine by the vectors, and nothing else`, () => {
    writeFileSync(join(folder, name), code);
    const { stdout, stderr } = spawnSync(program, [...args, join(folder, name), file], { encoding: 'utf8' });
    const answers = stdout
      .trim()
      .split('\n')
      .map((line) => [...line].map((digit) => digit === '1') as Answer);
    expect([stderr, answers.length]).toEqual([expect.anything(), questions.length]);
    expect(outcomesBy(answers)).toEqual(
      webhookVectors.map(({ name, outcomes }) => [
        name,
        Object.fromEntries(Object.entries(outcomes).map(([header, outcome]) => [header, outcome === 'genuine'])),
      ]),
    );
  });
}

const examples = join(import.meta.dirname, '../../../../../../examples');

test.each([
  ['typescript', 'typescript/main.ts'],
  ['python', 'python/main.py'],
  ['go', 'go/main.go'],
  ['php', 'php/main.php'],
  ['java', 'java/src/main/java/Main.java'],
] as const)('the example of %s verifies by the same code', (language, path) => {
  expect(readFileSync(join(examples, path), 'utf8')).toContain(snippets[language].service.replaceAll('export ', ''));
});
