/** The rows of what people keep of their learning, and of whom they follow, for the table of access (rows.ts). */
import { open, signedIn, writes, type Row } from '#server/testing/access/roles.ts'

const NO_CERTIFICATE = '0'.repeat(26)
const LESSON = { id: '{lesson}' }
const NEW_PERSON = { id: '{newPerson}' }

export const learningRows: Readonly<Record<string, Row>> = {
  // /api/follow
  'GET /api/follow/all': signedIn(200),
  'GET /api/follow/{id}': signedIn(200, {}, NEW_PERSON),
  'PUT /api/follow/{id}': writes(200, {}, NEW_PERSON),
  'DELETE /api/follow/{id}': signedIn(200, {}, NEW_PERSON),
  // /api/check
  'GET /api/check/{lessonId}': signedIn(
    403,
    {
      owner: 200,
      buyer: 200,
      courseBuyer: 200,
      suspended: 200,
      administrator: 200,
      staleAdministrator: 200,
    },
    { lessonId: '{lesson}' },
  ),
  'POST /api/check/{lessonId}': writes(
    403,
    {
      owner: '200 explanation',
      buyer: '200 explanation',
      courseBuyer: '200 explanation',
      administrator: '200 explanation',
      staleAdministrator: '200 explanation',
    },
    { lessonId: '{lesson}', answers: [[1]] },
  ),
  'GET /api/check/{lessonId}/figures': signedIn(
    403,
    {
      owner: '200 explanation',
      administrator: '200 explanation',
      staleAdministrator: '200 explanation',
    },
    { lessonId: '{lesson}' },
  ),
  // /api/certificate
  'DELETE /api/certificate/{code}': signedIn(404, {}, { code: NO_CERTIFICATE }),
  'GET /api/certificate/{code}': open(404, {}, { code: NO_CERTIFICATE }),
  'PUT /api/certificate/{code}': writes(404, {}, { code: NO_CERTIFICATE, listed: true }),
  'GET /api/certificate/course/{courseId}': signedIn(
    403,
    { courseBuyer: 200 },
    { courseId: '{course}' },
  ),
  // Its lessons are not done.
  'POST /api/certificate/{courseId}': writes(
    403,
    { courseBuyer: 409 },
    { courseId: '{course}', name: 'Named by {role}' },
  ),
  'GET /api/certificate/yours': signedIn(200),
  // /api/note
  'GET /api/note/all': signedIn(200),
  'POST /api/note/create/{lessonId}': writes(
    403,
    { owner: 200, buyer: 200, courseBuyer: 200, administrator: 200, staleAdministrator: 200 },
    { lessonId: '{lesson}', text: 'Noted by {role}' },
  ),
  'GET /api/note/lesson/{id}': signedIn(200, {}, LESSON),
  'PUT /api/note/{id}': writes(404, {}, { id: 999_999, text: 'Noted by {role}' }),
  'DELETE /api/note/{id}': writes(404, {}, { id: 999_999 }),
  // /api/notice
  'GET /api/notice/all': signedIn(200),
  'GET /api/notice/count': signedIn(200),
  'PUT /api/notice/read': signedIn(200, {}, { ids: [999_999] }),
  'GET /api/notice/settings': signedIn(200),
  'PUT /api/notice/settings': writes(204, {}, { zone: 'UTC' }),
  // /api/progress
  'GET /api/progress': signedIn(200, {}, { lesson: '{lesson}' }),
  'GET /api/progress/continue': signedIn(200),
  'PUT /api/progress/{lessonId}': writes(
    403,
    { owner: 204, buyer: 204, courseBuyer: 204, administrator: 204, staleAdministrator: 204 },
    { lessonId: '{lesson}', seconds: 1 },
  ),
}
