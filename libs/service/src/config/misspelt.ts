/** A variable that is no setting, and the setting that it is taken for. */
export interface Misspelt {
  name: string;
  meant: string;
}

/** Shorter names differ from others by one letter by chance. */
const LEAST_LETTERS = 8;

/** Of npm, Node, the shell, Kubernetes and OpenTelemetry: never ours. */
const OF_OTHERS = /^(npm_|NODE_|KUBERNETES_|OTEL_|XDG_|LC_)|_SERVICE_(HOST|PORT)|_PORT_\d+_(TCP|UDP|SCTP)/;
/** What Kubernetes sets in each container for a service of any name. */
const OF_A_SERVICE = /_PORT$/;

/** Variables that differ from a setting by underscores alone, or by one letter of eight or more, and are no setting themselves. */
export function misspelt(env: Readonly<Record<string, string | undefined>>, settings: readonly string[]): Misspelt[] {
  const known = new Set(settings);
  const isInKubernetes = env['KUBERNETES_SERVICE_HOST'] !== undefined;
  const isOthers = (name: string): boolean => OF_OTHERS.test(name) || (isInKubernetes && OF_A_SERVICE.test(name));
  return Object.keys(env).flatMap((name): Misspelt[] => {
    if (known.has(name) || isOthers(name)) return [];
    const meant = settings.find((setting) => isNear(name, setting));
    return meant === undefined ? [] : [{ name, meant }];
  });
}

const isNear = (name: string, setting: string): boolean =>
  withoutUnderscores(name) === withoutUnderscores(setting) || (setting.length >= LEAST_LETTERS && differsByOne(name, setting));

const withoutUnderscores = (name: string): string => name.replaceAll('_', '');

/** One letter is another one, too many or missing. */
function differsByOne(one: string, other: string): boolean {
  if (Math.abs(one.length - other.length) > 1) return false;
  const [short, long] = one.length <= other.length ? [one, other] : [other, one];
  let at = 0;
  while (at < short.length && short[at] === long[at]) at += 1;
  return long.slice(at + 1) === short.slice(short.length === long.length ? at + 1 : at);
}
