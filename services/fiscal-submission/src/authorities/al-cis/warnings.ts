import type { RegistrationRequested } from '@svc/contracts/registration/requested';
import type { RecordWarning } from '../../submission/domain/facts.ts';
import { ascii, itemName } from './ascii.ts';

/** Texts that are not sent as the document has them: one warning of each kind, however many they are. */
export function warningsOf({ document, issuer, customer }: RegistrationRequested): RecordWarning[] {
  const names = document.items.map(({ description }) => description ?? '');
  const others = [issuer, customer].flatMap((party) => partyTexts(party));
  const changed = [...others, ...names].filter((text) => ascii(text) !== text.trim());
  const cut = names.filter((name) => itemName(name) !== ascii(name));
  const [first = ''] = changed;
  const [longest = ''] = cut;
  return [
    ...(changed.length > 0
      ? [
          warning(
            'transliterated',
            `The authority takes ASCII: ${counted(changed.length)}, such as "${shown(first)}", sent as "${shown(ascii(first))}".`,
          ),
        ]
      : []),
    ...(cut.length > 0
      ? [warning('item_name_cut', `The authority takes 50 characters: ${counted(cut.length)}, such as "${shown(itemName(longest))}".`)]
      : []),
  ];
}

type Party = RegistrationRequested['issuer'] | NonNullable<RegistrationRequested['customer']>;

function partyTexts(party: Party | null): string[] {
  if (!party) return [];
  const name = 'legal_name' in party ? party.legal_name : party.name;
  return [name, party.address?.line1, party.address?.line2, party.address?.city].filter((text): text is string => typeof text === 'string');
}

const warning = (code: string, message: string): RecordWarning => ({ code, message });
const counted = (count: number): string => (count === 1 ? 'one text' : `${count} texts`);
const shown = (text: string): string => text.slice(0, 60);
