import { useEffect } from 'react'
import * as z from 'zod/mini'
import { Letter } from '#contract/mail.ts'
import { useDraft } from '#web/core/storage/drafts.ts'
import { type FormState, useAppForm } from '#web/core/form/form.ts'
import { useSession } from '#web/core/session.ts'

const LetterWords = z.pick(Letter, { senderEmail: true, topic: true, emailText: true })
export type LetterWords = z.infer<typeof LetterWords>

const FIELDS = ['senderEmail', 'topic', 'emailText'] as const

interface LetterOptions {
  /** The key of the draft, such as `report` or `contact:7`. */
  readonly name: string
  readonly labels: Readonly<Record<keyof LetterWords, string>>
  /** The form shows what it throws and keeps the text. */
  readonly send: (words: LetterWords) => Promise<void>
}

interface LetterForm extends FormState<LetterWords> {
  readonly ownEmail: string
}

/** Stores the text as a draft and restores it after a reload, unless the user typed before hydration. */
export function useLetterForm({ name, labels, send }: LetterOptions): LetterForm {
  const ownEmail = useSession()?.email ?? ''
  const { read, save, drop } = useDraft<LetterWords>(name)
  const f = useAppForm<LetterWords>({
    schema: LetterWords,
    // No defaults, so that text typed before hydration stays.
    defaults: {},
    plain: true,
    labels,
    required: FIELDS,
    send: async (words) => {
      await send(words)
      drop()
    },
  })
  const { form } = f
  useEffect(() => {
    const stored = read()?.values
    const untouched = { senderEmail: ownEmail, topic: '', emailText: '' }
    for (const field of FIELDS) {
      const typed = form.getValues(field)
      form.setValue(field, typed === untouched[field] ? (stored?.[field] ?? typed) : typed)
    }
    const words = form.getValues()
    if (words.topic !== '' || words.emailText !== '') save(words)
    return form.subscribe({
      formState: { values: true },
      callback: ({ values }) => {
        if (values.topic === '' && values.emailText === '') drop()
        else save(values)
      },
    })
  }, [form, read, save, drop, ownEmail])
  return { ...f, ownEmail }
}
