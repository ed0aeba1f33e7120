import { people } from '#contract/people.ts'
import { readLedger } from '#server/people/points/reading.ts'
import {
  changeRole,
  correctPoints,
  deleteAbout,
  resetFactors,
  undoCorrection,
} from '#server/operate/people/acts.ts'
import { listPeople } from '#server/operate/people/list.ts'
import { requirePresent, showPerson } from '#server/operate/people/person.ts'
import { route, type Route } from '#server/kernel/call.ts'
import type { Core } from '#server/platform/core/core.ts'

export function routes(core: Core): Route[] {
  const { reads, clock } = core
  return [
    route(people.list, ({ viewer }, filter) => listPeople(reads.of(viewer), filter)),
    route(people.show, ({ viewer }, { id }) => showPerson(reads.of(viewer), id, clock.now())),
    route(people.points, async ({ viewer }, { id, ...query }) => {
      const db = reads.of(viewer)
      await requirePresent(db, id)
      return readLedger(db, id, query)
    }),
    route(people.correct, ({ viewer }, given) => correctPoints(core, viewer, given)),
    route(people.undoCorrection, ({ viewer }, given) => undoCorrection(core, viewer, given)),
    route(people.changeRole, async ({ viewer }, given) => {
      await changeRole(core, viewer, given)
      return null
    }),
    route(people.deleteAbout, async ({ viewer }, given) => {
      await deleteAbout(core, viewer, given)
      return null
    }),
    route(people.resetFactors, async ({ viewer }, given) => {
      await resetFactors(core, viewer, given)
      return null
    }),
  ]
}
