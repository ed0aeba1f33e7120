import type { MouseEvent } from 'react'
import { focusField } from '#web/core/form/focus-field.ts'
import { Rich, useText } from '#web/core/i18n.tsx'

/** A field and what a person calls it, translated. */
export interface NamedField {
  readonly field: string
  readonly label: string
}

interface FormReasonProps {
  /** Empty, though they must not be. */
  readonly missing: readonly NamedField[]
  /** Filled in, but not as the rules want it. */
  readonly wrong: readonly NamedField[]
}

/** Why a form can't be sent yet: the fields by name, each a link that moves the focus there. */
export function FormReason({ missing, wrong }: FormReasonProps) {
  return (
    <>
      {missing.length > 0 && (
        <Rich id="stillMissing" components={{ fields: <FieldLinks fields={missing} /> }} />
      )}
      {missing.length > 0 && wrong.length > 0 && ' '}
      {wrong.length > 0 && (
        <Rich id="stillWrong" components={{ fields: <FieldLinks fields={wrong} /> }} />
      )}
    </>
  )
}

function FieldLinks({ fields }: { readonly fields: readonly NamedField[] }) {
  const { listParts } = useText()
  const parts = listParts(fields.map(({ label }) => label))
  let place = 0
  return parts.map(({ isItem, text }, at) => {
    const field = isItem ? fields[place++]?.field : undefined
    if (field === undefined) return text
    const go = (event: MouseEvent<HTMLAnchorElement>) => {
      event.preventDefault()
      focusField(event.currentTarget, field)
    }
    return (
      // The parts of a list have no other name than their place.
      <a key={`${at} ${field}`} href={`#${field}`} onClick={go}>
        {text}
      </a>
    )
  })
}
