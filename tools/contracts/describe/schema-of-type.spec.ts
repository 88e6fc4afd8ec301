import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import ts from 'typescript';
import { schemaOfType } from './schema-of-type.ts';

const source = `
interface Inner { b?: string; a: number }
export type Optional = Inner;
export type Picked = Omit<Inner & { c: boolean }, 'a'>;
export type Values = 'z' | 'a' | null;
export type One = 'only';
export type Nullable = string | null;
export type OrNothing = { a: string | undefined };
export type Lists = readonly Inner[];
export type Map = Record<string, string[]>;
export type Either = { kind: 'b' } | { kind: 'a' };
export type Any = { data: unknown; rest: object };
export type Mapped = { [Name in 'x' | 'y' as \`\${Name}1\`]: number };
export type Flag = boolean | null;
export type Func = { a: () => void };
export type Tuple = [string, number];
export type Big = bigint;
export interface Endless { next: Endless | null }
`;

const folder = mkdtempSync(join(tmpdir(), 'svc-types-'));
afterAll(() => rmSync(folder, { recursive: true }));

function schemaOf(): (name: string) => object {
  const path = join(folder, 'types.ts');
  writeFileSync(path, source);
  const program = ts.createProgram([path], { strict: true, target: ts.ScriptTarget.ES2022, types: [] });
  const checker = program.getTypeChecker();
  const exported = checker.getExportsOfModule(checker.getSymbolAtLocation(program.getSourceFile(path) as ts.SourceFile) as ts.Symbol);
  return (name) => schemaOfType(checker, checker.getDeclaredTypeOfSymbol(exported.find((one) => one.name === name) as ts.Symbol));
}
const schema = schemaOf();

const object = (properties: object, required: string[], additionalProperties: unknown = false) => ({
  type: 'object',
  additionalProperties,
  properties,
  required,
});
const [text, number] = [{ type: 'string' }, { type: 'number' }];

test.each<[name: string, expected: object]>([
  ['Optional', object({ a: number, b: text }, ['a'])],
  ['Picked', object({ b: text, c: { type: 'boolean' } }, ['c'])],
  ['Values', { enum: ['a', 'z', null] }],
  ['One', { const: 'only' }],
  ['Nullable', { type: ['string', 'null'] }],
  ['OrNothing', object({ a: text }, [])],
  ['Lists', { type: 'array', items: object({ a: number, b: text }, ['a']) }],
  ['Map', object({}, [], { type: 'array', items: text })],
  ['Either', { anyOf: [object({ kind: { const: 'a' } }, ['kind']), object({ kind: { const: 'b' } }, ['kind'])] }],
  ['Any', object({ data: {}, rest: { type: 'object' } }, ['data', 'rest'])],
  ['Mapped', object({ x1: number, y1: number }, ['x1', 'y1'])],
  ['Flag', { type: ['boolean', 'null'] }],
])('%s', (name, expected) => {
  expect(schema(name)).toEqual(expected);
});

test.each([
  ['Func', /is a function/],
  ['Tuple', /is a tuple/],
  ['Big', /is not JSON/],
  ['Endless', /contains itself/],
])('refuses %s', (name, why) => {
  expect(() => schema(name)).toThrow(why);
});
