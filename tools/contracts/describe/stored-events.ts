import { join } from 'node:path';
import ts from 'typescript';
import { storedTypes as ofSubmission } from '@svc/fiscal-submission/submission/stored-types';
import { storedTypes as ofInvoicing } from '@svc/invoicing/registrations';
import { schemaOfType, type JsonSchema } from './schema-of-type.ts';

type StoredTypes = Record<string, Record<string, number>>;
const declared = { invoicing: ofInvoicing, 'fiscal-submission': ofSubmission } as const satisfies Record<string, StoredTypes>;
type Storing = keyof typeof declared;

const root = join(import.meta.dirname, '../../..');

/** The types of both services, which takes seconds. */
let compiled: ReturnType<typeof compile> | undefined;

/**
 * The schema of each event that a service stores, `<category>.<Type>`, as this commit writes it. `x-version`: the version that it writes;
 * it reads all from 1 on. Throws where `stored-event-types.ts` and the service's table of versions differ.
 */
export function storedEventSchemas(service: Storing): [string, unknown][] {
  const { checker, exported } = (compiled ??= compile(join(import.meta.dirname, 'stored-event-types.ts')));
  const { v: _, ...metadata } = propertiesOf(schemaOfType(checker, exported('StoredMetadata')));
  const categories = property(checker, exported('StoredEvents'), service);
  const names = categories.getProperties().map(({ name }) => name);
  const versions: StoredTypes = declared[service];
  same(`categories of ${service}`, names, Object.keys(versions));
  return names.flatMap((category) => {
    const union = property(checker, categories, category);
    const events = union.isUnion() ? union.types : [union];
    const typed = events.map((event) => [literal(property(checker, event, 'type')), property(checker, event, 'data')] as const);
    const ofCategory = versions[category] ?? {};
    same(
      `event types of ${category}`,
      typed.map(([type]) => type),
      Object.keys(ofCategory),
    );
    return typed.map(([type, data]): [string, unknown] => [
      `stored-events/${category}.${type}.schema.json`,
      {
        $schema: 'https://json-schema.org/draft/2020-12/schema',
        $comment: `${category} ${type} v${ofCategory[type]}`,
        'x-version': ofCategory[type],
        type: 'object',
        properties: {
          data: schemaOfType(checker, data),
          metadata: { ...schemaOfType(checker, exported('StoredMetadata')), properties: { v: { const: ofCategory[type] }, ...metadata } },
        },
        required: ['data', 'metadata'],
      },
    ]);
  });
}

const propertiesOf = (schema: JsonSchema) => schema['properties'] as Record<string, JsonSchema>;

function compile(path: string) {
  const { config } = ts.readConfigFile(join(root, 'tsconfig.json'), (file) => ts.sys.readFile(file)) as { config: unknown };
  const { options } = ts.parseJsonConfigFileContent(config, { ...ts.sys, readDirectory: () => [] }, root);
  const program = ts.createProgram([path], { ...options, incremental: false, tsBuildInfoFile: undefined });
  const checker = program.getTypeChecker();
  const file = program.getSourceFile(path);
  const symbols = file ? checker.getExportsOfModule(checker.getSymbolAtLocation(file) as ts.Symbol) : [];
  const exported = (name: string): ts.Type => {
    const symbol = symbols.find((one) => one.name === name);
    if (!symbol) throw new Error(`${path} has no type ${name}`);
    return checker.getDeclaredTypeOfSymbol(symbol);
  };
  return { checker, exported };
}

function property(checker: ts.TypeChecker, type: ts.Type, name: string): ts.Type {
  const symbol = type.getProperty(name);
  if (!symbol) throw new Error(`${checker.typeToString(type)} has no property ${name}`);
  return checker.getTypeOfSymbol(symbol);
}

function literal(type: ts.Type): string {
  if (!type.isStringLiteral()) throw new Error('an event in stored-event-types.ts has more than one type: make it a union of events');
  return type.value;
}

function same(what: string, inTypes: string[], inTable: string[]): void {
  const [types, table] = [inTypes.toSorted(), inTable.toSorted()].map((names) => names.join(', '));
  if (types !== table) throw new Error(`${what}: stored-event-types.ts has ${types}, stored-types.ts of the service has ${table}`);
}
