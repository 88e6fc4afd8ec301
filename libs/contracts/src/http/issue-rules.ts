import type { IssueRule } from '@svc/kernel';

/** The rules of `error.issues`, each with what it means and its `params`. Released rules keep their names and params; later releases may add some. */
export const issueRules: Record<IssueRule, readonly [meaning: string, params: string]> = {
  required: ['The field is missing.', ''],
  unknown: ['There is no such field or parameter here.', '`nearest`: the one that may be meant, where there is one like it'],
  repeated: ['A query parameter is sent more than once.', ''],
  type: ['The value has another JSON type.', '`types`: those that it may have'],
  enum: ['The value is none of a list.', '`values`: the list'],
  format: ['The text does not have its form.', '`format`: such as `currency`, `day`, `timestamp`, `visible` (text that shows something)'],
  pattern: ['The text does not match a regular expression.', '`pattern`: ECMA-262, with the flag `u`'],
  decimal: [
    'The number or decimal string does not fit.',
    '`digits`: most before the point, `decimals`: most after it, `sign`: `any`, `not negative`, `positive`, `not zero`',
  ],
  precision: ['A JSON number has too many significant digits: send it as a string.', '`max`'],
  min: ['The number is too small.', '`min`'],
  max: ['The number is too large.', '`max`'],
  min_length: ['The text is too short.', '`min`, in characters'],
  max_length: ['The text is too long, or the key of a pair of `metadata`.', '`max`, in characters'],
  min_items: ['The list is too short.', '`min`'],
  max_items: ['The list is too long.', '`max`'],
  max_pairs: ['An object such as `metadata` has too many pairs.', '`max`'],
  unique: ['The list has an entry twice.', ''],
  combination: ['The field does not fit to the others of its object, or is missing beside them.', ''],
  calculated: ['The field is calculated, and the resource has another value.', ''],
  fixed: ['The field cannot be changed.', ''],
  country_rule: ['The law of the issuer’s country or its authority refuses it.', '`id`: such as `al.exchange_rate` or `me-efi.taxes`'],
  rate_limit: ['The limit of a 429.', '`limit`: its name, `max`, `seconds`: so many in so many seconds'],
  invalid: ['It is refused for a reason that only the message says.', ''],
};

export const issueRuleNames = Object.keys(issueRules) as IssueRule[];
