import { useRef, useState } from 'react'
import { parseTags } from '#contract/tags.ts'
import { useText } from '#web/core/i18n.tsx'
import { textLanguage } from '#web/core/text-language.ts'
import { Field } from '#web/ui/inputs/Field.tsx'
import { Token } from '#web/ui/inputs/Token.tsx'
import { Tokens } from '#web/ui/inputs/Tokens.tsx'

interface TagsFieldProps {
  /** Without JavaScript one line takes all of them. */
  readonly plain: boolean
  /** Read only once. */
  readonly initial: readonly string[]
  readonly error: string | undefined
  /** Gets all tags, including the one that is being typed. */
  readonly onChange: (tags: string[]) => void
  readonly onBlur: () => void
}

const join = (taken: readonly string[], typed: string) =>
  parseTags([...taken, typed].join(',')).list

/** Tags as chips. A comma or Enter ends a tag, and Backspace removes the last one. */
export function TagsField({ plain, initial, error, onChange, onBlur }: TagsFieldProps) {
  const { t } = useText()
  const [taken, setTaken] = useState(initial)
  const [typed, setTyped] = useState('')
  const input = useRef<HTMLInputElement>(null)

  const change = (tags: readonly string[], text: string) => {
    setTaken(tags)
    setTyped(text)
    onChange(join(tags, text))
  }
  const take = () => change(join(taken, typed), '')
  const type = (text: string) => {
    const end = text.lastIndexOf(',')
    if (end === -1) change(taken, text)
    else change(join(taken, text.slice(0, end)), text.slice(end + 1).trimStart())
  }
  return (
    <Field name="tags" label={t('tags')} help={t('tagsHelp')} error={error}>
      {(wiring) => (
        <Tokens aria-invalid={error !== undefined}>
          {plain && (
            <noscript>
              <input
                name="tags"
                dir="auto"
                autoComplete="off"
                {...wiring}
                id={undefined}
                defaultValue={taken.join(', ')}
              />
            </noscript>
          )}
          {taken.map((tag) => (
            <span key={tag} className="scripted" lang={textLanguage(tag)} dir="auto">
              <Token
                removeLabel={t('removeNamed', { name: tag })}
                onRemove={() => {
                  change(
                    taken.filter((other) => other !== tag),
                    typed,
                  )
                  input.current?.focus()
                }}
              >
                {tag}
              </Token>
            </span>
          ))}
          <input
            {...wiring}
            ref={input}
            className="scripted"
            dir="auto"
            value={typed}
            placeholder={t('addTag')}
            autoComplete="off"
            onChange={(event) => type(event.target.value)}
            onKeyDown={(event) => {
              if (event.nativeEvent.isComposing) return
              if (event.key === 'Enter') {
                event.preventDefault()
                take()
              } else if (event.key === 'Backspace' && typed === '') change(taken.slice(0, -1), '')
            }}
            onBlur={() => {
              take()
              onBlur()
            }}
          />
        </Tokens>
      )}
    </Field>
  )
}
