interface KeeperOptions<Form> {
  /** False where nothing is kept, and once the page shows another member, for whom nothing of this form is kept, and whose own form stays. */
  isOpen: () => boolean;
  put: (form: Form) => Promise<unknown>;
  remove: () => Promise<unknown>;
  /** Called after each attempt to keep it. */
  kept: (error: Error | null) => void;
  /** Milliseconds after the last change. */
  waitMs: number;
}

/** Keeps a form some time after its last change, one request at a time, and the newest state last. */
export function createKeeper<Form>({ isOpen, put, remove, kept, waitMs }: KeeperOptions<Form>) {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let waiting: { form: Form } | undefined;
  let running: Promise<void> = Promise.resolve();
  let isDropped = false;

  const send = async (): Promise<void> => {
    const next = waiting;
    waiting = undefined;
    if (!next || !isOpen()) return;
    await put(next.form).then(
      () => kept(null),
      (error: Error) => kept(error),
    );
  };
  const run = (): void => {
    clearTimeout(timer);
    running = running.then(send);
  };
  return {
    keep(form: Form): void {
      if (isDropped) return;
      waiting = { form };
      clearTimeout(timer);
      timer = setTimeout(run, waitMs);
    },
    /** Keeps it at once. Resolves when that was tried. */
    async keepNow(form: Form): Promise<void> {
      if (isDropped) return;
      waiting = { form };
      run();
      await running;
    },
    /** Keeps at once what still waits. */
    flush: run,
    /** The same for a page that may be gone next: what is on its way, which was sent before, is not waited for. */
    leave(): void {
      clearTimeout(timer);
      running = Promise.all([running, send()]).then(() => undefined);
    },
    /** Forgets the form, after what is on its way. Nothing is kept after that. */
    async drop(): Promise<void> {
      isDropped = true;
      clearTimeout(timer);
      waiting = undefined;
      await running;
      if (isOpen()) await remove();
    },
  };
}
