import { showLines } from './lines.mjs';

type Stream = Parameters<ReturnType<typeof showLines>>[0];
const written = (isTTY: boolean, line: string): string => {
  let text = '';
  const stream = { isTTY, write: (more: string) => ((text += more), true) } as unknown as Stream;
  showLines({ width: 12, readable: (json) => `read ${json}\n` })(stream, 'gateway-1', line);
  return text;
};

describe('the output of several processes', () => {
  test('is one JSON object per line with the name of its process, whatever the line is', () => {
    const line = JSON.stringify({ level: 30, msg: 'serves' });
    expect(JSON.parse(written(false, line))).toEqual({ process: 'gateway-1', level: 30, msg: 'serves' });
    for (const other of ['(node:1) Warning: x', '{ not JSON', '{"cut', '[1]', '{}'])
      expect(JSON.parse(written(false, other))).toMatchObject({ process: 'gateway-1', msg: other });
    expect(written(false, line).endsWith('}\n')).toBe(true);
  });

  test('is a readable line on a terminal', () => {
    expect(written(true, '{"level":30}')).toBe('gateway-1    | read {"level":30}\n');
  });
});
