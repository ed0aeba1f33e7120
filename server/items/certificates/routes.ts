import { certificates } from '#contract/certificates.ts'
import { CERTIFICATES_A_MINUTE } from '#contract/limits.ts'
import {
  listCertificate,
  removeCertificate,
  showCertificate,
  takeCertificate,
  towardsCertificate,
} from '#server/items/certificates/certificates.ts'
import { listOwn } from '#server/items/certificates/store.ts'
import { route, type Route } from '#server/kernel/call.ts'
import type { Core } from '#server/platform/core/core.ts'
import { createRate } from '#server/kernel/limits/rates.ts'

export function routes({ db, reads, clock, events, config }: Core): Route[] {
  const rate = createRate(CERTIFICATES_A_MINUTE, config)
  const needs = { db, clock }
  return [
    route(certificates.yours, ({ viewer }, { page = 1 }) =>
      listOwn(reads.of(viewer), viewer.id, page),
    ),
    route(certificates.towards, ({ viewer }, { courseId }) =>
      towardsCertificate(reads.of(viewer), viewer, courseId),
    ),
    ...[certificates.take, certificates.takeFormerly].map((endpoint) =>
      route(endpoint, ({ viewer }, asked) => {
        rate.count(viewer.id)
        return takeCertificate(needs, viewer, asked)
      }),
    ),
    // Reads from the primary, so that a revocation takes effect immediately.
    route(certificates.show, ({ viewer }, { code }) => showCertificate(db, viewer, code)),
    route(certificates.list, async ({ viewer }, asked) => {
      await listCertificate(needs, viewer, asked)
      events.publish({ type: 'certificate.changed', code: asked.code })
      return null
    }),
    route(certificates.remove, async ({ viewer }, asked) => {
      await removeCertificate(needs, viewer, asked)
      events.publish({ type: 'certificate.changed', code: asked.code })
      return null
    }),
  ]
}
