import { ActionIcon, TextInput } from '@mantine/core';
import { showUnclear } from '../../format/decimals.ts';
import { t } from '../../texts/t.ts';
import { Icon } from '../../ui/icon.tsx';
import classes from './basket.module.css';
import { type BasketLine, counted } from './lines.ts';

interface BasketRowProps {
  line: BasketLine;
  isClosed: boolean;
  change: (to: Partial<BasketLine>) => void;
  remove: () => void;
}

/** One line of the basket, with keys that are large enough for a finger. */
export const BasketRow = ({ line, isClosed, change, remove }: BasketRowProps) => {
  const { name, quantity, unit_price: price } = line;
  const unclear = showUnclear(price) ?? showUnclear(quantity);
  const key = { variant: 'default', size: 36, disabled: isClosed } as const;
  return (
    <li className={classes['line']}>
      <bdi className={classes['what']}>{name}</bdi>
      <div className={classes['count']}>
        <ActionIcon {...key} aria-label={t('till.less', { name })} onClick={() => change({ quantity: counted(quantity, -1) })}>
          −
        </ActionIcon>
        <TextInput
          w={58}
          inputMode="decimal"
          aria-label={t('till.quantityOf', { name })}
          disabled={isClosed}
          value={quantity}
          onChange={(event) => change({ quantity: event.currentTarget.value })}
        />
        <ActionIcon {...key} aria-label={t('till.more', { name })} onClick={() => change({ quantity: counted(quantity, 1) })}>
          +
        </ActionIcon>
      </div>
      <TextInput
        w={90}
        inputMode="decimal"
        // A text that is no product needs its price next.
        autoFocus={price === ''}
        aria-label={t('till.priceOf', { name })}
        disabled={isClosed}
        value={price}
        onChange={(event) => change({ unit_price: event.currentTarget.value })}
      />
      <ActionIcon variant="subtle" color="gray" size={36} disabled={isClosed} aria-label={t('till.remove', { name })} onClick={remove}>
        <Icon name="close" size={16} />
      </ActionIcon>
      {unclear && <p className={classes['unclear']}>{unclear}</p>}
    </li>
  );
};
