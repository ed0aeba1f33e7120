/** Parts of the frame that only the signed-in are shown, so guests load neither their code nor their texts. */
import type { Person } from '#contract/render.ts'
import { type LoadableView, personPart } from '#web/core/router/page-view.ts'

/** The person's own buttons and links, which the header shows in three places. */
export const personHeader = personPart('layout/header/PersonHeader', async () => {
  const { PersonHeader } = await import('#web/layout/header/PersonHeader.tsx')
  return PersonHeader
})

/** What the moderators have decided, on every page of whom they have suspended. */
export const suspendedBanner = personPart('layout/SuspendedBanner', async () => {
  const { SuspendedBanner } = await import('#web/layout/SuspendedBanner.tsx')
  return SuspendedBanner
})

/** Those that the frame shows this person, or a guest, at once. */
export function personPartsOf(person: Person | null): readonly LoadableView[] {
  if (person === null) return []
  return person.suspended === true ? [personHeader, suspendedBanner] : [personHeader]
}
