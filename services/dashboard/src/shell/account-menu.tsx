import { Menu, UnstyledButton, useMantineColorScheme } from '@mantine/core';
import { answered } from '@svc/client/console';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { general } from '../api/consoles.ts';
import { refreshSession, useMe } from '../session/session.ts';
import { useSignOut } from '../session/sign-out.ts';
import { named, t } from '../texts/t.ts';
import { Failure } from '../ui/failure.tsx';
import { Icon } from '../ui/icon.tsx';
import { useSaving } from '../ui/saving.ts';
import classes from './account-menu.module.css';

const accountsQuery = {
  queryKey: ['accounts'],
  queryFn: async ({ signal }: { signal: AbortSignal }) => (await answered(general.GET('/console/session', { signal }))).accounts,
  staleTime: 300_000,
};

/** Whose account this is and who one is: other accounts, the profile, the look, the way out. */
export function AccountMenu() {
  const { account, user, member } = useMe();
  const { data: accounts = [], error: unread, refetch } = useQuery(accountsQuery);
  const others = accounts.filter(({ id }) => id !== account.id);
  const signOut = useSignOut();
  const change = useChangeAccount();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const next = ({ auto: 'light', light: 'dark', dark: 'auto' } as const)[colorScheme];
  const failed = change.error ?? signOut.error;
  return (
    <>
      <Menu width={236} position="bottom-start" shadow="md">
        <Menu.Target>
          <UnstyledButton className={classes['button']}>
            <span className={classes['mark']} aria-hidden>
              {account.name.slice(0, 1).toUpperCase()}
            </span>
            <span className={classes['names']}>
              <span className={classes['account']}>{account.name}</span>
              <span className={classes['user']}>{user.name ?? user.email}</span>
            </span>
            <Icon name="down" size={14} />
          </UnstyledButton>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Label>
            {user.email} · {named('role', member.role)}
          </Menu.Label>
          <Menu.Item component={Link} to="/app/profile" leftSection={<Icon name="user" size={16} />}>
            {t('nav.profile')}
          </Menu.Item>
          <Menu.Item
            closeMenuOnClick={false}
            leftSection={<Icon name={colorScheme === 'dark' ? 'moon' : 'sun'} size={16} />}
            onClick={() => setColorScheme(next)}
          >
            {t('look.is', { look: t(`look.${colorScheme}`) })}
          </Menu.Item>
          {others.length > 0 && <Menu.Label>{t('accounts.others')}</Menu.Label>}
          {others.map(({ id, name, role }) => (
            <Menu.Item key={id} onClick={() => change.run(id)}>
              {name} <span className={classes['user']}>{named('role', role)}</span>
            </Menu.Item>
          ))}
          <Menu.Divider />
          <Menu.Item leftSection={<Icon name="out" size={16} />} onClick={() => signOut.run(undefined)}>
            {t('signOut.button')}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {failed && <Failure error={failed} />}
      {!failed && unread && <Failure error={unread} again={() => void refetch()} />}
    </>
  );
}

/** What is shown of the account before ends when the session is read. */
const useChangeAccount = () =>
  useSaving({
    run: (account: string) => answered(general.PUT('/console/session/account', { body: { account } })),
    done: refreshSession,
  });
