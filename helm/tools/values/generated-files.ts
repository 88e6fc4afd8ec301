import { format, resolveConfig } from 'prettier';
import { charts } from '../charts.mjs';
import { readme } from './readme.ts';
import { valuesSchema } from './schema.ts';

/** The texts of the generated files by path, formatted as all files are. */
export async function generatedFiles(): Promise<Map<string, string>> {
  const files = new Map<string, string>();
  for (const chart of charts) {
    files.set(`${chart}/values.schema.json`, await formatted(JSON.stringify(valuesSchema(chart)), 'json'));
    files.set(`${chart}/README.md`, await formatted(readme(chart), 'markdown'));
  }
  return files;
}

const formatted = async (text: string, parser: string): Promise<string> =>
  format(text, { ...(await resolveConfig(import.meta.filename)), parser });
