import 'reflect-metadata';
import { secretsInFiles } from '@svc/service/config/secret-files';
import { settingsOf } from '@svc/service/config/setting';
import { ServicesConfig } from './config.ts';

// Code that the start of separate services shares with the one-process start; a file of its own in the bundle.
export { lockFolder } from '@svc/embedded/folder-lock';
export { createTopics } from '@svc/event-bus/kafka/topics';
export { useDataFolder } from '@svc/service/process/data-folder';
export { checkPorts } from '@svc/service/process/ports';
export { serverAddress } from '@svc/service/process/server-address';
export { StartError } from '@svc/service/process/start-error';
export { connectionFailure } from '@svc/service/process/connection-failure';
export { systemClock } from '@svc/kernel';
export { describeConfig } from '@svc/service/config/describe-config';
export { ConfigError, loadConfig } from '@svc/service/config/load-config';
export { currentRelease, releaseText } from '@svc/service/release';
export { readable } from '@svc/service/logging/readable';
export { ServicesConfig };
export { loadSecrets } from './secrets.ts';
export { serviceSecrets } from './service-secrets.ts';
export { showReady } from './ready-message.ts';
export { showLink, SIGN_IN_LINK } from './sign-in-link.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** The environment with the secrets of `…_FILE` as variables, which the processes that are started get. */
export function withSecrets(env: Environment): Environment {
  const secrets = settingsOf(ServicesConfig).filter(({ secret }) => secret);
  const names = secrets.map(({ name }) => name);
  return { ...env, ...secretsInFiles(env, names).found };
}
