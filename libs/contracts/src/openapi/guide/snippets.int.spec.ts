import { spawnSync } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { snippets } from './snippets.ts';

const body = Buffer.from('{"id":"evt_1","name":"Ünïcødé 😀"}');
const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const golden = '0b2ffd6208c4aac73c4e3ff2d188a4ce7afd2cf2d875cac4f95119ce620dc2e3';
const signature = createHmac('sha256', secret).update(body).digest('hex');
const wrong = `${signature.slice(0, -1)}${signature.endsWith('0') ? '1' : '0'}`;
/** Body, signature, and whether the signature is valid. */
const cases: readonly (readonly [Buffer, string, boolean])[] = [
  [body, signature, true],
  [body, wrong, false],
  [Buffer.concat([body, Buffer.from(' ')]), signature, false],
  [body, '', false],
  [body, 'é', false],
];
const given = cases.map(([bytes, text]) => ({ body: bytes.toString('base64'), signature: text, secret }));

const programs = {
  typescript: {
    file: 'main.mts',
    command: [process.execPath],
    code: `${snippets.typescript}
const cases = JSON.parse(process.argv[2]!) as { body: string; signature: string; secret: string }[];
console.log(JSON.stringify(cases.map(({ body, signature, secret }) => isGenuine(Buffer.from(body, 'base64'), signature, secret))));`,
  },
  python: {
    file: 'main.py',
    command: ['python3'],
    code: `${snippets.python}
import base64, json, sys
print(json.dumps([is_genuine(base64.b64decode(one["body"]), one["signature"], one["secret"]) for one in json.loads(sys.argv[1])]))`,
  },
  go: {
    file: 'main.go',
    command: ['go', 'run'],
    code: `${snippets.go.replace('import (', 'import (\n\t"encoding/json"\n\t"fmt"\n\t"os"')}
func main() {
	var cases []struct {
		Body      []byte
		Signature string
		Secret    string
	}
	if err := json.Unmarshal([]byte(os.Args[1]), &cases); err != nil {
		panic(err)
	}
	genuine := []bool{}
	for _, one := range cases {
		genuine = append(genuine, IsGenuine(one.Body, one.Signature, one.Secret))
	}
	out, _ := json.Marshal(genuine)
	fmt.Println(string(out))
}`,
  },
  php: {
    file: 'main.php',
    command: ['php'],
    code: `${snippets.php}
$genuine = array_map(fn ($one) => is_genuine(base64_decode($one['body']), $one['signature'], $one['secret']), json_decode($argv[1], true));
echo json_encode($genuine);`,
  },
};

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'snippets-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('the snippets that verify a webhook', () => {
  test('are for the signature that the dispatcher sends', () => {
    expect(signature).toBe(golden);
  });

  test.each(Object.entries(programs))('%s takes what is genuine and nothing else', (_, { file, command, code }) => {
    const [program = '', ...args] = command;
    // Without the language on this machine the snippet does not run; the golden value above still holds.
    if (spawnSync(program, [program === 'go' ? 'version' : '--version']).error) return;
    writeFileSync(join(folder, file), code);
    const { stdout, stderr } = spawnSync(program, [...args, join(folder, file), JSON.stringify(given)], { encoding: 'utf8' });
    expect(stdout ? JSON.parse(stdout) : stderr).toEqual(cases.map(([, , genuine]) => genuine));
  });
});
