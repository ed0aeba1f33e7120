import * as z from 'zod/mini'
import { Letter } from '#contract/mail.schemas.ts'
import { type RulesProps, useRules } from '#web/core/form/rules.ts'

const LetterWords = z.pick(Letter, { senderEmail: true, topic: true, emailText: true })
export type LetterWords = z.infer<typeof LetterWords>

/** Draws nothing: judges the words of a letter. */
export function LetterRules(props: RulesProps<LetterWords>) {
  useRules(LetterWords, props)
  return null
}
