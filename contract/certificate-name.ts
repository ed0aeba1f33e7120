/** The name on a certificate, apart from the schemas: the form that asks for it loads none of them. */
import { CERTIFICATE_NAME } from '#contract/limits.ts'
import { fits, trimText } from '#contract/measure.ts'

/** What no name is printed with: what steers a printer or the direction, private and unassigned signs. */
const NOT_PRINTED = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u
/** Two signs that can't be seen and that some scripts join letters by, where they stand between letters. */
const JOINERS = /(?<=[\p{L}\p{M}])[\u200c\u200d](?=\p{L})/gu
/** More marks on one letter than any script has. */
const HEAPED = /\p{M}{5,}/u

/** The form in which a name is measured and printed: one blank between words. */
export const normalizeName = (name: string): string => trimText(name).replaceAll(/\p{Zs}+/gu, ' ')

/** What is wrong with a normalised name; null: nothing. */
export function nameProblem(
  name: string,
): 'certificateNameLength' | 'certificateNameSigns' | 'certificateNameLetters' | null {
  if (NOT_PRINTED.test(name.replaceAll(JOINERS, ''))) return 'certificateNameSigns'
  if (!fits(name, CERTIFICATE_NAME)) return 'certificateNameLength'
  return /\p{L}/u.test(name) && !HEAPED.test(name) ? null : 'certificateNameLetters'
}
