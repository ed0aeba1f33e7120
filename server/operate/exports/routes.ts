/** Routes of a person's data export: the JSON download, and requests for an archive, which downloads.ts sends. */
import { Readable } from 'node:stream'
import { exports } from '#contract/exports.ts'
import { archiveName } from '#contract/site.ts'
import { streamJson } from '#server/operate/exports/archive.ts'
import { requestExport, showExport } from '#server/operate/exports/exports.ts'
import { route, type Route } from '#server/kernel/call.ts'
import type { Core } from '#server/platform/core/core.ts'

export function routes({ db, clock, settings }: Core): Route[] {
  return [
    route(exports.json, async (context) => {
      context.setHeader('content-type', 'application/json; charset=utf-8')
      const name = archiveName(settings.current.names.en.site)
      context.setHeader('content-disposition', `attachment; filename="${name}"`)
      return Readable.from(streamJson(db, context.viewer.id))
    }),
    route(exports.show, ({ viewer }) => showExport(db, viewer.id, clock.now())),
    route(exports.ask, ({ viewer }) => requestExport({ db, clock }, viewer.id)),
  ]
}
