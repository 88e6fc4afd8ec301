import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { XmlDocument, XsdValidator } from 'libxml2-wasm';
import { xmlRegisterFsInputProviders } from 'libxml2-wasm/lib/nodejs.mjs';

/** Folder of the published schemas: `al/all.xsd`, `me/all.xsd`, `es/all.xsd`. They may not be copied, so that tests without it are skipped. */
export const schemaFolder = process.env['FISCAL_XSD_DIR'];

/** Validates whole SOAP messages against a country's published schema, by libxml2; returns what is wrong with one. */
export function publishedSchema(country: 'al' | 'me' | 'es'): (message: string) => string | undefined {
  xmlRegisterFsInputProviders();
  const path = join(schemaFolder ?? '', country, 'all.xsd');
  const validator = XsdValidator.fromDoc(XmlDocument.fromBuffer(readFileSync(path), { url: path }));
  return (message) => {
    const document = XmlDocument.fromString(message);
    try {
      validator.validate(document);
      return undefined;
    } catch (error) {
      return `${(error as Error).message}\n${message}`;
    } finally {
      document.dispose();
    }
  };
}
