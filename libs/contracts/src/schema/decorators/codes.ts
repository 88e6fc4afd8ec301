import { currencyDecimals, isTimeZone, type Prefix } from '@svc/kernel';
import { rule } from './rule.ts';
import { Matches } from './text.ts';

const known = (format: string, max: number, holds: (text: string) => boolean, message: string): PropertyDecorator =>
  rule({
    name: format,
    schema: () => ({ type: 'string', maxLength: max, format }),
    holds: (value) => typeof value === 'string' && value.length <= max && holds(value),
    message,
  });

export const isCurrency = (code: string): boolean => currencyDecimals(code) !== undefined;

export const IsCurrency = (): PropertyDecorator =>
  known('currency', 3, isCurrency, 'Send an ISO 4217 currency code in capitals, such as EUR.');
export const IsCountry = (): PropertyDecorator =>
  known('country', 2, isCountry, 'Send an ISO 3166-1 country code of two capitals, such as ES.');
export const IsTimeZone = (): PropertyDecorator => known('time-zone', 64, isTimeZone, 'Send an IANA time zone such as Europe/Madrid.');

/** A public id: prefix, `_`, 26 characters. */
export const IsPrefixedId = (prefix: Prefix): PropertyDecorator =>
  Matches(
    `^${prefix}_[0-7][0-9a-hjkmnp-tv-z]{25}$`,
    prefix.length + 27,
    `Send an id that begins with ${prefix}_ and has 26 characters after it.`,
  );

/** The officially assigned codes of ISO 3166-1 alpha-2, and XK, which is used for Kosovo. */
const codes = `AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BV BW BY BZ CA CC CD
  CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK FM FO FR GA GB GD GE GF GG GH GI GL
  GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT HU ID IE IL IM IN IO IQ IR IS IT JE JM JO JP KE KG KH KI KM KN KP KR KW KY KZ LA LB LC
  LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO MP MQ MR MS MT MU MV MW MX MY MZ NA NC NE NF NG NI NL NO NP NR NU NZ OM
  PA PE PF PG PH PK PL PM PN PR PS PT PW PY QA RE RO RS RU RW SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF
  TG TH TJ TK TL TM TN TO TR TT TV TW TZ UA UG UM US UY UZ VA VC VE VG VI VN VU WF WS XK YE YT ZA ZM ZW`;

const countries = new Set(codes.split(/\s+/));

export const isCountry = (code: string): boolean => countries.has(code);
