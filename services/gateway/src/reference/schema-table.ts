import type { Schema } from './document.ts';
import { html, type Html, prose } from './html.ts';

/** A schema's fields, one a row; what is a component is named and linked. */
export function fieldTable({ properties = {}, required = [] }: Schema): Html {
  const rows = Object.entries(properties).map(
    ([name, schema]) =>
      html`<tr>
        <td><code>${name}</code>${required.includes(name) ? ' *' : ''}</td>
        <td>${typeOf(schema)}</td>
        <td>${prose(schema.description ?? '')} ${limitsOf(schema)}</td>
      </tr>`,
  );
  return rows.length === 0 ? html`<p>No fields.</p>` : html`<table>${rows}</table>`; // prettier-ignore
}

/** What a value may be, in a few words. */
export function typeOf(schema: Schema): Html {
  const { $ref, anyOf, items, enum: values, type, format } = schema;
  if ($ref !== undefined) return html`<a href="#${nameOf($ref)}">${nameOf($ref)}</a>`;
  if (anyOf) return html`${anyOf.map((one, n) => html`${n > 0 ? ' or ' : ''}${typeOf(one)}`)}`;
  if (items) return html`list of ${typeOf(items)}`;
  if (values) return html`${values.map((value, n) => html`${n > 0 ? ' | ' : ''}<code>${String(value)}</code>`)}`;
  return html`${[type ?? 'any'].flat().join(' or ')}${format === undefined ? '' : `, ${format}`}`;
}

export const nameOf = (reference: string): string => reference.split('/').at(-1) ?? '';

function limitsOf({ default: value, minimum, maximum, maxLength, maxItems }: Schema): string {
  return [
    value === undefined ? '' : `Default ${JSON.stringify(value)}.`,
    minimum === undefined || maximum === undefined ? '' : `${minimum} to ${maximum}.`,
    maxLength === undefined ? '' : `At most ${maxLength} characters.`,
    maxItems === undefined ? '' : `At most ${maxItems} items.`,
  ]
    .filter((text) => text !== '')
    .join(' ');
}
