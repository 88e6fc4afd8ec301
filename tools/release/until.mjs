// What serves an earlier release names the release that ends it: `until 0.3`. That release is refused while the line stands.
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gte } from 'semver';

const SOURCES = '{libs,services}/*/src/**/*.ts';
const UNTIL = /\buntil (\d+\.\d+)\b/i;
/** A version, and no part of an address such as 192.0.2.0. */
const VERSION = /(?<![\d.])\d+\.\d+\.\d+(?![\d.]*\d)/g;
const COMMENT = /\/\/|^\s*\/?\*/;

/** @typedef {{ file: string, line: number, text: string }} Line */

const linesOf = (/** @type {string} */ root, /** @type {string} */ file) => readFileSync(join(root, file), 'utf8').split('\n');

/** @returns {string[]} */
const sourcesIn = (/** @type {string} */ root) =>
  globSync(SOURCES, { cwd: root }).filter((file) => !/\.(spec|suite)\.ts$|\/testing\/|\/testkit\//.test(file));

/**
 * The lines that `version` ends. @returns {Line[]}
 */
export const endedBy = (/** @type {string} */ root, /** @type {string} */ version) =>
  sourcesIn(root).flatMap((file) =>
    linesOf(root, file).flatMap((text, n) => {
      const until = UNTIL.exec(text)?.[1];
      return until !== undefined && gte(version, `${until}.0`) ? [{ file, line: n + 1, text: text.trim() }] : [];
    }),
  );

/** Comments that speak of a release and do not say which one ends that: neither they, nor the three lines before, nor the head of the file. @returns {Line[]} */
export const endless = (/** @type {string} */ root, /** @type {readonly string[]} */ released) =>
  sourcesIn(root).flatMap((file) => {
    const lines = linesOf(root, file);
    if (lines.slice(0, 20).some((text) => /^\/\/ until \d/.test(text))) return [];
    return lines.flatMap((text, n) => {
      const speaks = COMMENT.test(text) && text.match(VERSION)?.some((version) => released.includes(version));
      const near = lines.slice(Math.max(0, n - 3), n + 2);
      return speaks && !near.some((one) => UNTIL.test(one) || /\bfrom \d+\.\d+\b/.test(one))
        ? [{ file, line: n + 1, text: text.trim() }]
        : [];
    });
  });

/** For a message. */
export const shownLines = (/** @type {readonly Line[]} */ lines) =>
  lines.map(({ file, line, text }) => `${file}:${line}: ${text}`).join('\n');
