import { languages, type Language } from '@svc/contracts/openapi/guide/walk/walk';
import type { Sample } from './blocks.ts';

export interface SampleRequest {
  method: string;
  url: string;
  /** undefined: the request has no body. */
  body?: unknown;
}

/** A request in each language, each a program with the key in `KEY`. */
export const samplesOf = (request: SampleRequest): Sample[] =>
  languages.map(({ id, label, fence }) => ({ id, label, fence, code: write[id](request) }));

const indented = (body: unknown): string => JSON.stringify(body, null, 2);

const write: Record<Language, (request: SampleRequest) => string> = {
  curl: ({ method, url, body }) =>
    [
      `curl${method === 'GET' ? '' : ` -X ${method}`} '${url}' \\`,
      `  -H "Authorization: Bearer $KEY"${body === undefined ? '' : ` -H 'Content-Type: application/json' \\\n  -d '${indented(body).replaceAll("'", `'\\''`)}'`}`,
      '',
    ].join('\n'),

  typescript: ({ method, url, body }) => `const answer = await fetch('${url}', {
  method: '${method}',
  headers: { authorization: \`Bearer \${process.env['KEY']}\`${body === undefined ? '' : `, 'content-type': 'application/json'`} },${
    body === undefined ? '' : `\n  body: JSON.stringify(${indented(body).replaceAll('\n', '\n  ')}),`
  }
});
console.log(answer.status, await answer.json());
`,

  python: ({ method, url, body }) => `import json
import os
from urllib.request import Request, urlopen

headers = {"Authorization": f"Bearer {os.environ['KEY']}"${body === undefined ? '' : ', "Content-Type": "application/json"'}}
${body === undefined ? 'body = None' : `body = json.dumps(${asPython(body)}).encode()`}
with urlopen(Request("${url}", body, headers, method="${method}")) as answer:
    print(answer.status, json.load(answer))
`,

  go: ({ method, url, body }) => `package main

import (
	"fmt"
	"io"
	"net/http"
	"os"${body === undefined ? '' : '\n\t"strings"'}
)

func main() {
	request, err := http.NewRequest("${method}", "${url}", ${body === undefined ? 'nil' : `strings.NewReader(${goText(indented(body))})`})
	if err != nil {
		panic(err)
	}
	request.Header.Set("Authorization", "Bearer "+os.Getenv("KEY"))${body === undefined ? '' : '\n\trequest.Header.Set("Content-Type", "application/json")'}
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		panic(err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	fmt.Println(answer.StatusCode, string(text), err)
}
`,

  php: ({ method, url, body }) => `<?php
$options = [
    'method' => '${method}',
    'header' => ['Authorization: Bearer ' . getenv('KEY')${body === undefined ? '' : ", 'Content-Type: application/json'"}],${
      body === undefined ? '' : `\n    'content' => json_encode(${asPhp(body, '    ')}),`
    }
    'ignore_errors' => true,
];
echo file_get_contents('${url}', false, stream_context_create(['http' => $options]));
`,
};

const goText = (text: string): string => (text.includes('`') ? JSON.stringify(text) : `\`${text}\``);

/** A value of JSON as a literal of Python. */
const asPython = (value: unknown, indent = ''): string =>
  literal(value, indent, {
    open: '{',
    close: '}',
    none: '{}',
    pair: ': ',
    step: '    ',
    null: 'None',
    true: 'True',
    false: 'False',
    text: JSON.stringify,
  });

/** A value of JSON as a literal of PHP. */
const asPhp = (value: unknown, indent: string): string => {
  const text = (one: string): string => `'${one.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
  const syntax = { open: '[', close: ']', pair: ' => ', step: '    ', null: 'null', true: 'true', false: 'false', text };
  // [] is an empty list there, and no object.
  return literal(value, indent, { ...syntax, none: 'new stdClass()' });
};

/** Of objects; lists are in brackets. */
interface Syntax {
  open: string;
  close: string;
  /** An object without fields. */
  none: string;
  pair: string;
  step: string;
  null: string;
  true: string;
  false: string;
  text(one: string): string;
}

function literal(value: unknown, indent: string, syntax: Syntax): string {
  if (value === null) return syntax.null;
  if (typeof value === 'boolean') return value ? syntax.true : syntax.false;
  if (typeof value === 'string') return syntax.text(value);
  if (typeof value !== 'object') return String(value);
  const inner = indent + syntax.step;
  const parts = Array.isArray(value)
    ? value.map((one) => literal(one, inner, syntax))
    : Object.entries(value).map(([key, one]) => `${syntax.text(key)}${syntax.pair}${literal(one, inner, syntax)}`);
  const [open, close] = Array.isArray(value) ? ['[', ']'] : [syntax.open, syntax.close];
  if (parts.length === 0) return Array.isArray(value) ? '[]' : syntax.none;
  return `${open}\n${parts.map((part) => `${inner}${part},\n`).join('')}${indent}${close}`;
}
