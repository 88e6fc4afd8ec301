import { iso } from '@svc/kernel';
import { createProcess } from '../document/process/process.ts';
import { documentSteps } from '../document/process/steps.ts';
import { afterEvent, dueSteps, isAsking } from './domain/next-steps.ts';
import { receipts } from './receipts.ts';

const { takeNumber, reverse } = documentSteps(receipts);

export const receiptProcess = createProcess(receipts, {
  dueSteps,
  isAsking,
  afterEvent,
  steps: {
    take_number: takeNumber,

    reverse,

    async report({ context, ref, step: { corrects, end }, metadata }) {
      const at = iso(context.clock.now());
      await receipts.carryOut(context, { ...ref, id: corrects }, () => ({ type: 'end_reversal', at, document: ref.id, ...end }), metadata);
      return undefined;
    },
  },
});
