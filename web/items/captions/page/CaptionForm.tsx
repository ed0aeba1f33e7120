import { useRef, useState } from 'react'
import { captions as calls } from '#contract/captions.ts'
import { CAPTION_LANGUAGES, type CaptionLanguage } from '#contract/items.ts'
import { tagOf } from '#contract/messages/messages.ts'
import { api } from '#web/core/api.ts'
import { ApiError } from '#web/core/api-error.ts'
import { FormAlert } from '#web/core/form/FormAlert.tsx'
import { useSending } from '#web/core/form/use-sending.ts'
import { useText } from '#web/core/i18n.tsx'
import { toast } from '#web/core/toast.ts'
import { captionLanguageOf, languageName } from '#web/items/shared/caption-language.ts'
import { decodeCaptions } from '#web/items/captions/page/decode-file.ts'
import { Button } from '#web/ui/Button.tsx'
import { FileButton } from '#web/ui/inputs/FileButton.tsx'
import { useDroppedFile } from '#web/ui/inputs/dropped-file.ts'
import { Field } from '#web/ui/inputs/Field.tsx'
import { Select } from '#web/ui/inputs/Select.tsx'
import { TextArea } from '#web/ui/inputs/TextArea.tsx'
import { classes } from '#web/ui/classes.ts'
import formStyles from '#web/ui/inputs/Form.module.css'

interface CaptionFormProps {
  readonly lesson: number
  /** True if the author decides about what is sent. */
  readonly isOffer: boolean
  readonly present: readonly CaptionLanguage[]
  readonly onDone: () => void
}

/** A file is shown as text before it is sent, and what is refused stays in the field, so that it can be corrected. */
export function CaptionForm({ lesson, isOffer, present, onDone }: CaptionFormProps) {
  const { t, locale } = useText()
  const field = useRef<HTMLTextAreaElement>(null)
  const [language, setLanguage] = useState(captionLanguageOf(locale))
  const [text, setText] = useState('')
  const [problem, setProblem] = useState<string | undefined>()
  const { busy, failure, send } = useSending()
  const name = languageName(locale, language)
  const replaces = present.includes(language)
  const write = (words: string) => {
    setText(words)
    setProblem(undefined)
  }
  const readFile = async (file: File) => {
    const read = decodeCaptions(new Uint8Array(await file.arrayBuffer()), language)
    if (read === null) setProblem(t('captionsNotText', { name: file.name }))
    else write(read)
  }
  const { isOver, target } = useDroppedFile((file) => void readFile(file))
  const submit = () =>
    send(async () => {
      try {
        const given = { lessonId: lesson, language, text }
        await (isOffer ? api(calls.offer, given) : api(calls.put, given))
        write('')
        toast(t(isOffer ? 'captionsOffered' : 'captionsSaved', { language: name }))
        onDone()
      } catch (error) {
        const atText = error instanceof ApiError ? error.fields['text'] : undefined
        if (atText === undefined) throw error
        setProblem(atText)
        field.current?.focus()
      }
    })
  return (
    <form
      className={formStyles.form}
      aria-label={t(isOffer ? 'captionsOffer' : 'captionsAdd')}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        void submit()
      }}
    >
      <FormAlert alert={failure} />
      <h2>{t(isOffer ? 'captionsOffer' : 'captionsAdd')}</h2>
      <Field label={t('language')} help={replaces ? t('captionsReplaces', { language: name }) : ''}>
        {(wiring) => (
          <Select
            {...wiring}
            value={language}
            onChange={({ target: { value } }) => setLanguage(captionLanguageOf(value))}
          >
            {byName((one) => languageName(locale, one), tagOf(locale)).map((one) => (
              <option key={one} value={one}>
                {languageName(locale, one)}
              </option>
            ))}
          </Select>
        )}
      </Field>
      <Field label={t('captionsText')} help={t('captionsTextHelp')} error={problem}>
        {(wiring) => (
          <>
            <div
              data-drop
              className={classes(formStyles.drop, isOver && formStyles.overIt)}
              {...target}
            >
              <FileButton accept=".vtt,.srt" onFile={(file) => void readFile(file)}>
                {t('chooseFile')}
              </FileButton>
              <span className="quiet">{t('dropFile')}</span>
            </div>
            <TextArea
              {...wiring}
              ref={field}
              rows={12}
              dir="auto"
              spellCheck={false}
              value={text}
              placeholder={'WEBVTT\n\n00:00:01.000 --> 00:00:04.000\n…'}
              onChange={({ target: { value } }) => write(value)}
            />
          </>
        )}
      </Field>
      <div className="acts">
        <Button
          kind="main"
          type="submit"
          busy={busy}
          disabled={text.trim() === ''}
          missing={t('captionsMissing')}
        >
          {t(isOffer ? 'captionsOfferStep' : 'captionsSave')}
        </Button>
      </div>
    </form>
  )
}

function byName(nameOf: (language: CaptionLanguage) => string, tag: string): CaptionLanguage[] {
  const { compare } = new Intl.Collator(tag)
  return CAPTION_LANGUAGES.toSorted((one, other) => compare(nameOf(one), nameOf(other)))
}
