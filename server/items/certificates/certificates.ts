import type { Certificate, TowardsCertificate, certificates } from '#contract/certificates.ts'
import type { ParsedOf } from '#contract/endpoint.ts'
import { CERTIFICATES_A_COURSE, REASON } from '#contract/limits.ts'
import { rightsOfCertificate } from '#server/items/certificates/access.ts'
import { makeCode } from '#server/items/certificates/code.ts'
import {
  countDone,
  findMissing,
  readHeldCourse,
  unfinished,
} from '#server/items/certificates/finishing.ts'
import {
  findCertificate,
  findTaken,
  insertCertificate,
  lockCertificate,
  revoke,
  setListed,
  withdraw,
  type CertificateRow,
} from '#server/items/certificates/store.ts'
import type { Db } from '#server/platform/db/connect.ts'
import { lock, lockName } from '#server/platform/db/locks.ts'
import { refuseUnconfirmed, type Viewer } from '#server/kernel/call.ts'
import type { Clock } from '#server/kernel/clock.ts'
import { conflict, forbidden, invalidField, notFound } from '#server/kernel/errors.ts'
import { logAct } from '#server/people/moderation/log.ts'
import { courseRef } from '#server/platform/events/catalogue.ts'
import { record } from '#server/platform/events/outbox.ts'

interface Needs {
  readonly db: Db
  readonly clock: Clock
}

/**
 * Issues the certificate of a finished course. Returns an existing one, whatever happened to the course since.
 * @throws Refusal 404 when there is no such course, 403 when the person has not unlocked it, 409 when something is
 * missing (named by lesson), when theirs was revoked, or when they withdrew it too often
 */
export function takeCertificate(
  { db, clock }: Needs,
  viewer: Viewer,
  { courseId, name }: ParsedOf<typeof certificates.take>,
): Promise<{ code: string }> {
  return db.transaction().execute(async (tx) => {
    await lock(tx, lockName.certificates(viewer.id))
    const { taken, withdrawn } = await findTaken(tx, viewer.id, courseId)
    if (taken?.state === 'valid') return { code: taken.code }
    if (taken !== null) throw conflict('certificateWasRevoked')
    const course = await readHeldCourse(tx, viewer, courseId)
    const missing = await findMissing(tx, viewer, course)
    if (missing.length > 0 || course.lessons.length === 0) throw unfinished(course, missing)
    if (withdrawn >= CERTIFICATES_A_COURSE)
      throw conflict('certificateTooOften', { max: CERTIFICATES_A_COURSE })
    const code = makeCode()
    const { title, description, authorId, authorName, lessons } = course
    const made = {
      code,
      courseId,
      name,
      authorId,
      authorName,
      userId: viewer.id,
      courseTitle: title,
      courseDescription: description,
      lessons: lessons.map((lesson) => lesson.title),
    }
    await insertCertificate(tx, made, clock.now())
    return { code }
  })
}

/** Returns the viewer's progress towards the certificate of a course. @throws Refusal 404, 403 as for taking it */
export async function towardsCertificate(
  db: Db,
  viewer: Viewer,
  courseId: number,
): Promise<TowardsCertificate> {
  const course = await readHeldCourse(db, viewer, courseId)
  const missing = await findMissing(db, viewer, course)
  const { taken } = await findTaken(db, viewer.id, courseId)
  return { done: countDone(course, missing), total: course.lessons.length, missing, taken }
}

/** Returns a certificate as the viewer may see it; null is a guest. @throws Refusal 404 */
export async function showCertificate(
  db: Db,
  viewer: Viewer | null,
  code: string,
): Promise<Certificate> {
  const row = await findCertificate(db, code)
  if (row === null) throw certificateGone()
  return toCertificate(row, viewer)
}

export const certificateGone = () => notFound('certificateNotFound')

function toCertificate(row: CertificateRow, viewer: Viewer | null): Certificate {
  const { code, courseTitle, state, ended } = row
  const shown = {
    code,
    courseTitle,
    date: row.date.toISOString(),
    can: rightsOfCertificate(viewer, row),
  }
  if (state !== 'valid') return { ...shown, state, ended: (ended ?? row.date).toISOString() }
  const { name, courseId, courseThere, courseDescription, lessons, author, authorNow, listed } = row
  return {
    ...shown,
    state,
    name,
    courseId,
    courseThere,
    courseDescription,
    lessons: [...lessons],
    author,
    authorNow,
    listed,
  }
}

/** Allows or forbids search engines to index a certificate. @throws Refusal 404, 403 for anybody but its owner */
export function listCertificate(
  { db }: Pick<Needs, 'db'>,
  viewer: Viewer,
  { code, listed }: ParsedOf<typeof certificates.list>,
): Promise<void> {
  return db.transaction().execute(async (tx) => {
    const row = await lockCertificate(tx, code)
    if (row === null) throw certificateGone()
    if (!rightsOfCertificate(viewer, row).list) throw forbidden()
    await setListed(tx, row.id, listed)
  })
}

/**
 * Ends a certificate for good: its owner withdraws it, an administrator revokes it. Does nothing if it has already
 * ended.
 * @throws Refusal 404, 403 for anybody else, and for an administrator who must confirm their identity first; 400
 * for an administrator without a reason
 */
export function removeCertificate(
  { db, clock }: Needs,
  viewer: Viewer,
  { code, reason }: ParsedOf<typeof certificates.remove>,
): Promise<void> {
  const now = clock.now()
  return db.transaction().execute(async (tx) => {
    const row = await lockCertificate(tx, code)
    if (row === null) throw certificateGone()
    const could = rightsOfCertificate(viewer, { ...row, state: 'valid' })
    if (!could.withdraw && !could.revoke) throw forbidden()
    if (could.revoke) refuseUnconfirmed(viewer)
    if (could.revoke && reason === undefined)
      throw invalidField('reason', 'reasonValMs', { ...REASON })
    if (row.state !== 'valid') return
    if (could.withdraw) {
      await withdraw(tx, row.id, now)
      return
    }
    await revoke(tx, row.id, now)
    const subject = { subjectId: code, subject: row.courseTitle, personId: row.ownerId }
    await logAct(tx, {
      actorId: viewer.id,
      action: 'certificateRevoked',
      ...subject,
      reason: reason ?? null,
      at: now,
    })
    const { courseTitle: title, ownerId } = row
    if (ownerId === null) return
    const event = { item: courseRef(row.courseId), title, ownerId, note: reason ?? null }
    await record(tx, { type: 'certificate.revoked', ...event }, now)
  })
}
