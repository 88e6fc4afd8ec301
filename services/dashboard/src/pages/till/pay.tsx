import { Button } from '@mantine/core';
import { named, t } from '../../texts/t.ts';
import classes from './basket.module.css';
import type { Method } from './lines.ts';

const methods: readonly Method[] = ['cash', 'card', 'transfer', 'check', 'voucher', 'other'];

interface PayProps {
  /** How it is paid by keys, or why it cannot be. */
  hint: string;
  canPay: boolean;
  isPaying: boolean;
  pay: (method: Method) => void;
}

/** How it is paid: the press that issues the receipt. */
export const Pay = ({ hint, canPay, isPaying, pay }: PayProps) => (
  <div className={classes['pay']} role="group" aria-label={t('till.pay')}>
    {methods.map((method) => (
      <Button
        key={method}
        size="md"
        variant={method === 'cash' ? 'filled' : 'default'}
        disabled={!canPay}
        loading={isPaying && method === 'cash'}
        aria-keyshortcuts={method === 'cash' ? 'Control+Enter' : undefined}
        onClick={() => pay(method)}
      >
        {named('method', method)}
      </Button>
    ))}
    <p className={classes['hint']} aria-live="polite">
      {hint}
    </p>
  </div>
);
