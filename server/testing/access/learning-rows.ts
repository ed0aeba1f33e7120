/** Rows of learning data and follows for the access table (rows.ts). */
import {
  desk,
  deskWrites,
  open,
  readers,
  signedIn,
  writes,
  type Row,
} from '#server/testing/access/roles.ts'

const NO_CERTIFICATE = '0'.repeat(26)
const CAPTIONS = '00:01.000 --> 00:02.000\nHello'
const LESSON = { id: '{lesson}' }
const NEW_PERSON = { id: '{newPerson}' }
const COURSE = { id: '{course}' }
const NONE = { ids: [999_999] }

export const learningRows: Readonly<Record<string, Row>> = {
  // /api/author
  'GET /api/author/figures': signedIn(200),
  'GET /api/author/figures/{kind}/{id}': signedIn(
    403,
    { owner: 200, administrator: 200, staleAdministrator: 200 },
    { kind: 'lesson', id: '{lesson}' },
  ),
  // /api/follow
  'GET /api/follow/all': signedIn(200),
  'GET /api/follow/{id}': signedIn(200, {}, NEW_PERSON),
  'PUT /api/follow/{id}': writes(200, {}, NEW_PERSON),
  'DELETE /api/follow/{id}': signedIn(200, {}, NEW_PERSON),
  // /api/check
  'GET /api/check/{lessonId}': signedIn(403, readers(200), { lessonId: '{lesson}' }),
  'POST /api/check/{lessonId}': writes(
    403,
    { ...readers('200 explanation'), suspended: 403 },
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
  // /api/caption
  'GET /api/caption/{lessonId}': signedIn(403, readers(200), { lessonId: '{lesson}' }),
  'PUT /api/caption/{lessonId}/{language}': writes(
    403,
    { owner: 200, administrator: 200 },
    { lessonId: '{lesson}', language: 'en', text: CAPTIONS },
  ),
  'DELETE /api/caption/{lessonId}/{language}': writes(
    403,
    { owner: 404, administrator: 404 },
    { lessonId: '{lesson}', language: 'sq' },
  ),
  'GET /api/caption/{lessonId}/offers': signedIn(403, readers(200), { lessonId: '{lesson}' }),
  'POST /api/caption/{lessonId}/offer': writes(
    403,
    { buyer: 200, courseBuyer: 200 },
    { lessonId: '{lesson}', language: 'bg', text: CAPTIONS },
  ),
  'POST /api/caption/offer/{id}/accept': writes(404, {}, { id: 999_999 }),
  'POST /api/caption/offer/{id}/decline': writes(404, {}, { id: 999_999 }),
  // /api/certificate
  'DELETE /api/certificate/{code}': signedIn(404, {}, { code: NO_CERTIFICATE }),
  'GET /api/certificate/{code}': open(404, {}, { code: NO_CERTIFICATE }),
  'PUT /api/certificate/{code}': writes(404, {}, { code: NO_CERTIFICATE, listed: true }),
  'GET /api/certificate/course/{courseId}': signedIn(
    403,
    { courseBuyer: 200 },
    { courseId: '{course}' },
  ),
  // Its lessons are not finished.
  'POST /api/certificate/{courseId}': writes(
    403,
    { courseBuyer: 409 },
    { courseId: '{course}', name: 'Named by {role}' },
  ),
  'POST /api/certificate/course/{courseId}': writes(
    403,
    { courseBuyer: 409 },
    { courseId: '{course}', name: 'Named by {role}' },
  ),
  'GET /api/certificate/yours': signedIn(200),
  // /api/draft
  'GET /api/draft/all': signedIn(200),
  'GET /api/draft/{key}': signedIn(404, {}, { key: 'lesson-new' }),
  'PUT /api/draft/{key}': writes(
    403,
    { owner: 200, administrator: 200, staleAdministrator: 200 },
    { key: 'lesson-{lesson}', base: 0, values: { title: 'Drafted by {role}' } },
  ),
  'DELETE /api/draft/{key}': writes(204, {}, { key: 'lesson-new' }),
  // /api/note
  'GET /api/note/all': signedIn(200),
  'POST /api/note/create/{lessonId}': writes(
    403,
    { ...readers(200), suspended: 403 },
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
    { ...readers(204), suspended: 403 },
    { lessonId: '{lesson}', seconds: 1 },
  ),
  // /api/rating
  'GET /api/rating/browse': desk(200),
  'GET /api/rating/course/{id}': open(200, {}, COURSE),
  'PUT /api/rating/course/{id}': writes(403, { courseBuyer: 409 }, { ...COURSE, stars: 4 }),
  'DELETE /api/rating/course/{id}': writes(404, {}, COURSE),
  'POST /api/rating/delete': deskWrites(204, {}, NONE),
  'GET /api/rating/lesson/{id}': open(200, {}, LESSON),
  'PUT /api/rating/lesson/{id}': writes(
    403,
    { buyer: 200, courseBuyer: 409 },
    { ...LESSON, stars: 4 },
  ),
  'DELETE /api/rating/lesson/{id}': writes(404, {}, { id: 999_999 }),
  'POST /api/rating/restore': deskWrites(200, {}, NONE),
  'PUT /api/rating/{id}/answer': writes(403, { owner: 200 }, { id: '{rating}', text: 'Thank you' }),
  'DELETE /api/rating/{id}/answer': writes(404, {}, { id: 999_999 }),
}
