/** What a refusal says above its form; apart from refused.ts, which every page has. */
import type { RefusedForm } from '#contract/render.ts'

type RefusalAlert = { readonly text: string; readonly status: number; readonly hasField: boolean }

const alerts = new WeakMap<RefusedForm, RefusalAlert | null>()

/**
 * A refusal that belongs to no field of the form, or that something is taken. The same object for the same refusal: a
 * form asks again once it has its rules, and an alert that is said already is not said anew.
 * @param labels of the form's fields
 */
export function alertOf(
  refused: RefusedForm | null,
  labels: Readonly<Record<string, string | undefined>>,
): RefusalAlert | null {
  if (refused === null) return null
  const known = alerts.get(refused)
  if (known !== undefined) return known
  const alert = toAlert(refused, labels)
  alerts.set(refused, alert)
  return alert
}

function toAlert(
  refused: RefusedForm,
  labels: Readonly<Record<string, string | undefined>>,
): RefusalAlert | null {
  const { message: text, status, fields } = refused
  const hasField = Object.keys(fields).some((field) => labels[field] !== undefined)
  return hasField && status !== 409 ? null : { text, status, hasField }
}
