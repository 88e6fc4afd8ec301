import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { XmlDocument, XsdValidator } from 'libxml2-wasm';
import { xmlRegisterFsInputProviders } from 'libxml2-wasm/lib/nodejs.mjs';

/** Folder of the authorities' published schemas, which are not ours to give on: absent, nothing is validated. */
export const schemas = process.env['FISCAL_XSD_DIR'];

/** Validates texts against `<FISCAL_XSD_DIR>/<path>`; throws what is wrong with one. */
export function schemaOf(path: string): (text: string) => void {
  if (!schemas) throw new Error('FISCAL_XSD_DIR is not set');
  xmlRegisterFsInputProviders();
  const file = join(schemas, path);
  const schema = XmlDocument.fromBuffer(readFileSync(file), { url: pathToFileURL(file).pathname });
  const validator = XsdValidator.fromDoc(schema);
  return (text) => {
    const document = XmlDocument.fromString(text);
    try {
      validator.validate(document);
    } finally {
      document.dispose();
    }
  };
}
