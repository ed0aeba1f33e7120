import type { MouseEvent } from 'react'
import { focusField } from '#web/core/form/focus-field.ts'
import { Rich, useText } from '#web/core/i18n.tsx'

export interface NamedField {
  readonly field: string
  readonly label: string
}

interface FormReasonProps {
  /** Required fields that are empty. */
  readonly missing: readonly NamedField[]
  /** Fields whose value breaks a rule. */
  readonly wrong: readonly NamedField[]
}

/** Says why a form cannot be submitted yet. Each field name is a link that moves the focus to the field. */
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
      // The items of a list may repeat, so the position is part of the key.
      <a key={`${at} ${field}`} href={`#${field}`} onClick={go}>
        {text}
      </a>
    )
  })
}
