import type { Env, JsonText, Uid } from '@svc/kernel';

/** A command that was answered 201, and what its answer showed besides its events (`answeredFrom` of its request). */
export interface Answered {
  /** Its name in the table of routes. */
  route: string;
  account: string;
  env: Env;
  command: Uid;
  answeredFrom: string;
}

/**
 * Makes an answer again as it was, byte for byte, but without personal data that were erased since. undefined: the events of the command are not there, or what
 * they were about was erased. Throws what reads throw.
 */
export type AnswerAgain = (answered: Answered) => Promise<JsonText | undefined>;
