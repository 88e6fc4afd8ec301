import { Button, Menu } from '@mantine/core';
import { t } from '../texts/t.ts';
import { Icon } from '../ui/icon.tsx';
import classes from './actions-menu.module.css';

export interface MenuAction {
  name: string;
  label: string;
  run: () => void;
  /** Why it is closed; undefined: it is open. */
  closed?: string | undefined;
}

/** Actions of less use. A closed one says why. */
export const ActionsMenu = ({ actions }: { actions: readonly MenuAction[] }) =>
  actions.length === 0 ? null : (
    <Menu position="bottom-end" shadow="md" width={260}>
      <Menu.Target>
        <Button variant="default" rightSection={<Icon name="down" size={14} />}>
          {t('action.more')}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {actions.map(({ name, label, run, closed }) => (
          <Menu.Item
            key={name}
            onClick={closed === undefined ? run : undefined}
            aria-disabled={closed !== undefined}
            className={closed === undefined ? undefined : classes['closed']}
            closeMenuOnClick={closed === undefined}
          >
            {label}
            {closed !== undefined && <span className={classes['why']}>{closed}</span>}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
