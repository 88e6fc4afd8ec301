import ts from 'typescript';

export type JsonSchema = Record<string, unknown>;

const { Any, Unknown, NonPrimitive, StringLike, NumberLike, BooleanLike, Null, Undefined } = ts.TypeFlags;
/** Deeper than any event: a type that contains itself has no end. */
const DEEPEST = 20;

/**
 * The JSON Schema of a TypeScript type, as `JSON.stringify` writes its values. The order of unions does not depend on the compiler.
 * Throws on what JSON does not have (functions, bigint) and on recursive types.
 */
export function schemaOfType(checker: ts.TypeChecker, type: ts.Type, depth = 0): JsonSchema {
  const inner = (of: ts.Type): JsonSchema => schemaOfType(checker, of, depth + 1);
  const refuse = (why: string): never => {
    throw new Error(`${checker.typeToString(type)} ${why}: a stored event has plain data only`);
  };
  if (depth > DEEPEST) return refuse('contains itself');
  if (type.flags & (Any | Unknown)) return {};
  if (type.isUnion()) return unionOf(type.types.filter(({ flags }) => !(flags & Undefined)).map(inner));
  if (type.isStringLiteral() || type.isNumberLiteral()) return { const: type.value };
  if (type.flags & BooleanLike) return booleanOf(checker, type);
  if (type.flags & Null) return { type: 'null' };
  if (type.flags & StringLike) return { type: 'string' };
  if (type.flags & NumberLike) return { type: 'number' };
  if (type.flags & NonPrimitive) return { type: 'object' };
  if (checker.isTupleType(type)) return refuse('is a tuple');
  if (checker.isArrayType(type)) return { type: 'array', items: inner(checker.getTypeArguments(type as ts.TypeReference)[0] as ts.Type) };
  if (type.getCallSignatures().length > 0) return refuse('is a function');
  if (!(type.flags & (ts.TypeFlags.Object | ts.TypeFlags.Intersection))) return refuse('is not JSON');
  return objectOf(checker, type, inner);
}

function objectOf(checker: ts.TypeChecker, type: ts.Type, inner: (of: ts.Type) => JsonSchema): JsonSchema {
  const index = checker.getIndexTypeOfType(type, ts.IndexKind.String);
  const properties = checker.getPropertiesOfType(type).toSorted((a, b) => (a.name < b.name ? -1 : 1));
  // JSON omits what is undefined.
  const canBeUndefined = (of: ts.Type): boolean => (of.isUnion() ? of.types : [of]).some(({ flags }) => (flags & Undefined) !== 0);
  const isOptional = (symbol: ts.Symbol): boolean =>
    (symbol.flags & ts.SymbolFlags.Optional) !== 0 || canBeUndefined(checker.getTypeOfSymbol(symbol));
  return {
    type: 'object',
    additionalProperties: index ? inner(index) : false,
    properties: Object.fromEntries(properties.map((symbol) => [symbol.name, inner(checker.getTypeOfSymbol(symbol))])),
    required: properties.filter((symbol) => !isOptional(symbol)).map(({ name }) => name),
  };
}

const booleanOf = (checker: ts.TypeChecker, type: ts.Type): JsonSchema =>
  type.flags & ts.TypeFlags.BooleanLiteral ? { const: checker.typeToString(type) === 'true' } : { type: 'boolean' };

/** Literals become one `enum`, a value or null one list of types; both forms are those of the public schemas. */
function unionOf(branches: JsonSchema[]): JsonSchema {
  const literals = branches.filter((branch) => 'const' in branch).map((branch) => branch['const']);
  const isBoolean = literals.includes(true) && literals.includes(false);
  const values = literals.filter((value) => !isBoolean || typeof value !== 'boolean').sort();
  const others = branches.filter((branch) => !('const' in branch) && branch['type'] !== 'null');
  const isNullable = branches.some((branch) => branch['type'] === 'null');
  const all = [
    ...(values.length > 0 ? [values.length === 1 ? { const: values[0] } : { enum: values }] : []),
    ...(isBoolean ? [{ type: 'boolean' }] : []),
    ...others.toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1)),
  ];
  const [only] = all;
  const alone = all.length === 1 && only ? only : undefined;
  if (!isNullable) return alone ?? { anyOf: all };
  if (alone && typeof alone['type'] === 'string') return { ...alone, type: [alone['type'], 'null'] };
  if (alone && 'enum' in alone) return { enum: [...values, null] };
  return { anyOf: [...all, { type: 'null' }] };
}
