/** The state of a form whose words go out by mail: checked as the server checks them, stored as a draft until they are sent. */
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
  /** The draft's name, such as `report` or `contact:7`. */
  readonly name: string
  /** What the fields are called, translated. */
  readonly labels: Readonly<Record<keyof LetterWords, string>>
  /** What it throws is shown, and the words stay. */
  readonly send: (words: LetterWords) => Promise<void>
}

interface LetterForm extends FormState<LetterWords> {
  /** The person's own address, for the field's first value. */
  readonly ownEmail: string
}

/**
 * The form of a letter. What is typed is stored as a draft and offered again after a reload; what was typed before the
 * script came wins over the draft.
 * @param options the draft's name, the labels, and how the letter is sent; what `send` throws is shown in the form
 */
export function useLetterForm({ name, labels, send }: LetterOptions): LetterForm {
  const ownEmail = useSession()?.email ?? ''
  const { read, save, drop } = useDraft<LetterWords>(name)
  const f = useAppForm<LetterWords>({
    schema: LetterWords,
    // The fields hold what was typed before the script came.
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
