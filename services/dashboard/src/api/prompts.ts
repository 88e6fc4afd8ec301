import { shown } from './shown.ts';

/** What a person is asked while a request waits. */
export type Question = 'step-up' | 'live-write';

export interface Prompt {
  question: Question;
  /** False: the request is not sent. */
  answer(agreed: boolean): void;
}

/** A person refused what a request needs, or is gone: it was not sent, and nothing happened. */
export class Cancelled extends Error {
  override readonly name = 'Cancelled';
}

/** The questions that are open, one shown at a time. */
export function createPrompts() {
  let open: Prompt[] = [];
  const listeners = new Set<() => void>();
  const change = (next: Prompt[]): void => {
    open = next;
    for (const listener of listeners) listener();
  };
  const waiting = new Map<Question, Promise<boolean>>();

  return {
    subscribe(listener: () => void): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    current: (): Prompt | undefined => open[0],
    /** Refuses all that is open: who was asked is not before the page any more. */
    refuseAll(): void {
      for (const prompt of open) prompt.answer(false);
    },
    /** Requests that wait for the same question share its answer. Rejects with `Cancelled`. */
    async ask(question: Question): Promise<void> {
      const answer =
        waiting.get(question) ??
        new Promise<boolean>((resolve) => {
          const prompt: Prompt = {
            question,
            answer(agreed) {
              waiting.delete(question);
              change(open.filter((one) => one !== prompt));
              resolve(agreed);
            },
          };
          change([...open, prompt]);
        });
      waiting.set(question, answer);
      if (!(await answer)) throw new Cancelled();
    },
  };
}

export const prompts = createPrompts();
shown.whenChanged(() => prompts.refuseAll());
