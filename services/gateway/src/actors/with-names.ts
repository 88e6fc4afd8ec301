/** Looks up names as they are now; an id without one may be absent. */
type NamesOf = (ids: readonly string[]) => Promise<ReadonlyMap<string, string | null>>;
/** The same of members of an account. */
export type AccountNames = (account: string, ids: readonly string[]) => ReturnType<NamesOf>;

export interface WithNames {
  /** What can be passed on of a piece of the text. */
  pass(piece: Buffer): Promise<Buffer>;
  /** The rest, after the last piece. */
  end(): Buffer;
}

const MEMBER = /"actor":\{"type":"member","id":"(mem_[0-9a-z]{26})"/g;
const LENGTH = `"actor":{"type":"member","id":"mem_${'0'.repeat(26)}"`.length;

/**
 * Writes the name of each member who is an actor into a JSON text of history as it passes, in pieces of any size. Texts of callers have their quotes escaped, so
 * that none of them is taken for an actor. Linear in the length; holds less than a hundred bytes.
 */
export function withNames(namesOf: NamesOf): WithNames {
  let held = '';
  return {
    async pass(piece) {
      const text = held + piece.toString('latin1');
      const found = [...text.matchAll(MEMBER)];
      const names = found.length === 0 ? undefined : await namesOf([...new Set(found.map(([, id = '']) => id))]);
      let [out, from] = ['', 0];
      for (const { 0: actor, 1: id = '', index } of found) {
        const name = names?.get(id) ?? null;
        out += text.slice(from, index) + actor + (name === null ? '' : `,"name":${asBytes(JSON.stringify(name))}`);
        from = index + actor.length;
      }
      const to = Math.max(from, text.length - LENGTH + 1);
      held = text.slice(to);
      return Buffer.from(out + text.slice(from, to), 'latin1');
    },
    end: () => Buffer.from(held, 'latin1'),
  };
}

const asBytes = (text: string): string => Buffer.from(text).toString('latin1');
