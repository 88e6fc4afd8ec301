import type { Content, Operation, Parameter, Published, Reference } from './document.ts';
import { html, type Html, page, prose } from './html.ts';
import { fieldTable, nameOf, typeOf } from './schema-table.ts';

/** The whole interface on one page, made of the published document: operations by subject, then the shapes they name. */
export function referencePage(document: Published): string {
  const { info, servers, paths, components } = document;
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  );
  const subjects = [...new Set(operations.map(({ operation }) => operation.tags[0] ?? ''))];
  const section = (subject: string): Html =>
    html`<h2 id="${subject}">${subject}</h2>
      ${operations.filter(({ operation }) => operation.tags[0] === subject).map((one) => operationEntry(document, one))}`;
  const shape = ([name, schema]: [string, Published['components']['schemas'][string]]): Html =>
    html`<h3 id="${name}">${name}</h3>
      ${schema.properties ? fieldTable(schema) : html`<p>${typeOf(schema)}</p>`}`;
  return page(
    info.title,
    html`${info.description.split('\n\n').map((paragraph) => html`<p>${prose(paragraph)}</p>`)}
      <p>Base address: <code>${servers[0]?.url}</code>. <a href="/openapi.json">The same as an OpenAPI document</a>.</p>
      <p>${subjects.map((subject, n) => html`${n > 0 ? ' · ' : ''}<a href="#${subject}">${subject}</a>`)} · <a href="#shapes">shapes</a></p>
      ${subjects.map(section)}
      <h2 id="shapes">Shapes</h2>
      <p>A star marks what must be there.</p>
      ${Object.entries(components.schemas).map(shape)}`,
  );
}

function operationEntry(document: Published, { path, method, operation }: { path: string; method: string; operation: Operation }): Html {
  const { operationId, summary, description, requestBody, responses } = operation;
  const parameters = operation.parameters.map((parameter) => resolved(document, parameter));
  const rows = parameters.map(
    ({ name, in: where, schema, description: about }) =>
      html`<tr>
        <td><code>${name}</code></td>
        <td>${where}</td>
        <td>${typeOf(schema)}</td>
        <td>${prose(about ?? '')}</td>
      </tr>`,
  );
  return html`<details id="${operationId}">
    <summary><code class="method">${method.toUpperCase()}</code> <code>${path}</code> ${summary}</summary>
    <p>${prose(description)}</p>
    ${
      rows.length > 0
        ? html`<table>
            ${rows}
          </table>`
        : undefined
    }
    ${requestBody ? html`<p>Body: ${bodyType(requestBody)}</p>` : undefined}
    <p>Answers: ${Object.entries(responses).map(([status, answer], n) => html`${n > 0 ? ', ' : ''}${status}${answerType(answer)}`)}</p>
  </details>`;
}

const resolved = ({ components }: Published, parameter: Parameter | Reference): Parameter =>
  '$ref' in parameter ? (components.parameters[nameOf(parameter.$ref)] as Parameter) : parameter;

const bodyType = ({ content }: Content): Html | undefined => {
  const schema = content?.['application/json']?.schema;
  return schema && (schema.properties ? fieldTable(schema) : typeOf(schema));
};

const answerType = (answer: Content | Reference): Html | undefined => {
  const body = '$ref' in answer ? undefined : bodyType(answer);
  return body && html` ${body}`;
};
