/** Prints requests as commands for a system on localhost:3000, with shell variables for the ids that answers have. `print`: takes a line. */
export function curlPrinter(print) {
  const variables = new Map();
  return function printed({ method, path, body, headers }, answer) {
    let command = [
      `curl -X ${method} "localhost:3000/v1${path}" -H "Authorization: Bearer $KEY"`,
      ...Object.entries(headers).map(([name, value]) => `-H '${name}: ${value}'`),
      ...(body ? [`-H 'content-type: application/json' -d '${JSON.stringify(body)}'`] : []),
    ].join(' ');
    for (const [id, variable] of variables) command = command.replaceAll(`"${id}"`, `"'$${variable}'"`).replaceAll(id, `$${variable}`);
    print(`   ${command}`);
    if (!answer.object || !answer.id || variables.has(answer.id)) return;
    const kind = answer.object.toUpperCase();
    const count = [...variables.values()].filter((name) => name.replace(/_\d+$/, '') === kind).length;
    const name = count === 0 ? kind : `${kind}_${count + 1}`;
    variables.set(answer.id, name);
    print(`   ${name}=${answer.id} # of the answer`);
  };
}
