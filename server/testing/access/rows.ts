/**
 * The expected answer of every address for every role (roles.ts), in alphabetical groups. `access.test.ts` sends
 * each row as each role; an address without a row fails there, with the line to add here. A row names the kind of
 * access with the usual answer, then the roles with other answers, then the fields to send. `{name}` is a value of
 * the scene (scene.ts). Names that begin with `new` are created for each call, so that rows that delete don't
 * affect others. The answer `'200 article'` contains the paid article; secrets that are not named must not be in
 * the answer. A 400, 404 or 409 means that the guard let the role pass.
 */
import {
  byNewCookie,
  confirmed,
  desk,
  deskWrites,
  open,
  readers,
  signedIn,
  writes,
  type Row,
} from '#server/testing/access/roles.ts'
import { besideRows } from '#server/testing/access/beside-rows.ts'
import { deskRows } from '#server/testing/access/desk-rows.ts'
import { learningRows } from '#server/testing/access/learning-rows.ts'
import { signInRows } from '#server/testing/access/sign-in-rows.ts'

const LESSON = { id: '{lesson}' }
const COURSE = { id: '{course}' }
const OWNER = { id: '{owner}' }
const NEW_PERSON = { id: '{newPerson}' }
const NONE = { ids: [999_999] }
const WRONG = 'not the password of anybody'
const TOKEN = { token: 'x'.repeat(43) }

const buys = (id: string) =>
  writes(200, { owner: 409, administrator: 409, staleAdministrator: 409 }, { id })

export const rows: Readonly<Record<string, Row>> = {
  ...besideRows,
  ...deskRows,
  // /api/appeal
  'GET /api/appeal/act/{act}': signedIn(404, {}, { act: 'act-999999' }),
  'GET /api/appeal/all': desk(200),
  'POST /api/appeal/create': writes(404, { suspended: 404 }, { act: 'act-999999', text: 'Why?' }),
  'POST /api/appeal/decide/{id}': deskWrites(404, {}, { id: 999_999, text: 'For the table' }),
  'GET /api/appeal/figures': desk(200),
  // /api/comment
  'GET /api/comment/changes/{id}': signedIn(403, readers('200 comment'), LESSON),
  'GET /api/comment/all': desk('200 comment'),
  // Found by a search, because there are more comments than fit on the first page.
  'GET /api/comment/browse': desk('200 comment', {}, { search: 'commentofthebuyer' }),
  'POST /api/comment/create/{lessonId}': writes(
    200,
    { user: 403, another: 403, unconfirmed: 403, stale: 403 },
    { lessonId: '{lesson}', text: 'Told by {role}' },
  ),
  'POST /api/comment/delete': deskWrites(204, {}, { ids: ['{newComment}'] }),
  'DELETE /api/comment/delete/{id}': writes(
    403,
    { buyer: 204, administrator: 204 },
    { id: '{newComment}' },
  ),
  'PUT /api/comment/edit/{id}': writes(
    403,
    { buyer: 200 },
    { id: '{newComment}', text: 'Said anew by {role}' },
  ),
  'POST /api/comment/judge/{id}': deskWrites('200 comment', {}, { id: '{comment}' }),
  'GET /api/comment/lesson/{id}': signedIn(403, readers('200 comment'), LESSON),
  'POST /api/comment/restore': deskWrites(200, {}, NONE),
  'POST /api/comment/restore/{id}': deskWrites(404, {}, { id: 999_999 }),
  // /api/course
  'GET /api/course/all': open(200),
  'GET /api/course/also/{id}': open(200, {}, COURSE),
  'GET /api/course/bought': signedIn(200),
  'GET /api/course/browse': open(200),
  'GET /api/course/buy/{id}': buys('{newCourse}'),
  'POST /api/course/buy/{id}': buys('{newCourse}'),
  'GET /api/course/choices': signedIn(200),
  'POST /api/course/create': writes(400),
  'GET /api/course/highest': open(200),
  'GET /api/course/like/{id}': writes(200, { owner: 409 }, { id: '{newCourse}' }),
  'POST /api/course/like/{id}': writes(200, { owner: 409 }, { id: '{newCourse}' }),
  'GET /api/course/removal/{id}': signedIn(
    403,
    { owner: 200, administrator: 200, staleAdministrator: 200 },
    COURSE,
  ),
  'POST /api/course/return/{id}': writes(409, {}, { id: '{newCourse}' }),
  'POST /api/course/rewardcheck': writes(400),
  'GET /api/course/yours': signedIn(200),
  'GET /api/course/{id}': open(200, {}, COURSE),
  'PUT /api/course/{id}': writes(
    403,
    { owner: 400, administrator: 400, staleAdministrator: 400 },
    { ...COURSE, description: 'Changed by {role}' },
  ),
  'PATCH /api/course/{id}': writes(
    403,
    { owner: 200, administrator: 200, staleAdministrator: 403 },
    { ...COURSE, description: 'Changed by {role}' },
  ),
  'DELETE /api/course/{id}': writes(403, { owner: 200, administrator: 200 }, { id: '{newCourse}' }),
  // /api/email, /api/flag
  'POST /api/email/send': open(
    202,
    { suspended: 403 },
    {
      senderEmail: '{role}@people.example',
      topic: 'A problem',
      emailText: 'Something is broken on the page of lists',
      kind: 'report',
    },
  ),
  'POST /api/email/unsubscribe': open(400, {}, TOKEN),
  'POST /api/flag': writes(202, {}, { kind: 'profile', ...OWNER, text: 'Look at this person' }),
  'GET /api/home': open(200),
  'GET /api/home/stall': signedIn(200),
  'GET /api/home/tags': open(200),
  // /api/identity
  ...signInRows,
  'GET /api/identity/allContacts': signedIn(200),
  'GET /api/identity/allProfiles': open(200),
  'GET /api/identity/block/{id}': signedIn(200, {}, NEW_PERSON),
  'POST /api/identity/block/{id}': writes(200, {}, NEW_PERSON),
  'DELETE /api/identity/block/{id}': writes(200, {}, NEW_PERSON),
  'POST /api/identity/confirm': signedIn(400, {}, { password: WRONG }),
  'POST /api/identity/email/confirm': open(400, {}, TOKEN),
  'POST /api/identity/email/resend': signedIn(204),
  'POST /api/identity/email/undo': open(400, {}, TOKEN),
  'POST /api/identity/erase': confirmed(400, {}, { password: WRONG }),
  'GET /api/identity/export': signedIn(200, {
    user: '200 message',
    owner: '200 article email explanation',
    buyer: '200 comment',
  }),
  'GET /api/identity/exports': signedIn(200),
  // A small account downloads its export directly.
  'POST /api/identity/exports': signedIn(409),
  'GET /api/identity/factors': signedIn(200),
  'POST /api/identity/factors/recovery': confirmed(409),
  'POST /api/identity/factors/totp': signedIn(400, {}, { password: WRONG }),
  'DELETE /api/identity/factors/totp': confirmed(409),
  'POST /api/identity/factors/totp/confirm': signedIn(409, {}, { code: '000000' }),
  'POST /api/identity/login': open(
    200,
    { guest: 401, erased: 401, stale: 401, staleAdministrator: 401, owner: '200 email' },
    { username: '{name}', password: '{password}' },
  ),
  'POST /api/identity/logout': byNewCookie(open(204)),
  'GET /api/identity/by/{name}': open(200, {}, { name: 'owner' }),
  'GET /api/identity/named/{name}': signedIn(200, {}, { name: 'owner' }),
  'POST /api/identity/password/change': confirmed(
    400,
    {},
    { password: WRONG, newPassword: 'another secret 1' },
  ),
  'POST /api/identity/password/forgot': open(204, {}, { email: 'nobody@people.example' }),
  'POST /api/identity/password/reset': open(400, {}, { ...TOKEN, password: 'another secret 1' }),
  'GET /api/identity/points': signedIn(200),
  'GET /api/identity/profile/{id}': signedIn(200, { owner: '200 email' }, OWNER),
  'POST /api/identity/refresh': byNewCookie(signedIn(200, { owner: '200 email' })),
  'POST /api/identity/register': open(400),
  'GET /api/identity/sessions': signedIn(200),
  'POST /api/identity/sessions/revoke': signedIn(204),
  'DELETE /api/identity/sessions/{id}': signedIn(
    404,
    {},
    { id: '00000000-0000-4000-8000-000000000000' },
  ),
  'GET /api/identity/tokens': signedIn(200),
  'POST /api/identity/tokens': writes(400, { stale: 403, staleAdministrator: 403 }),
  'DELETE /api/identity/tokens/{id}': signedIn(404, {}, { id: 999_999 }),
  'PUT /api/identity/update': writes(400),
  'PATCH /api/identity/update': writes(
    200,
    { owner: '200 email', buyer: '200 comment' },
    { notices: true },
  ),
  'POST /api/identity/update': writes(400),
  'GET /api/identity/userinformation/{id}': open(200, {}, OWNER),
  // /api/invitation
  'POST /api/invitation/create': signedIn(403),
  // /api/lesson
  'GET /api/lesson/all': open(200),
  'GET /api/lesson/bought': signedIn(200),
  'GET /api/lesson/browse': open(200),
  'GET /api/lesson/buy/{id}': buys('{newLesson}'),
  'POST /api/lesson/buy/{id}': buys('{newLesson}'),
  'POST /api/lesson/create': writes(400),
  // The setting is off, so the guard lets people pass and the rule refuses them.
  'POST /api/lesson/trust/{id}': writes(409, {}, { id: '{newLesson}' }),
  'GET /api/lesson/like/{id}': writes(200, { owner: 409 }, { id: '{newLesson}' }),
  'POST /api/lesson/like/{id}': writes(200, { owner: 409 }, { id: '{newLesson}' }),
  'GET /api/lesson/newest': open(200),
  'GET /api/lesson/popular': open(200),
  'GET /api/lesson/also/{id}': open(200, {}, { id: '{lesson}' }),
  'GET /api/lesson/recommended': signedIn(200),
  'GET /api/lesson/removal/{id}': signedIn(
    403,
    { owner: 200, administrator: 200, staleAdministrator: 200 },
    LESSON,
  ),
  'POST /api/lesson/return/{id}': writes(409, {}, { id: '{newLesson}' }),
  'POST /api/lesson/claim/{id}': writes(404, {}, LESSON),
  'POST /api/lesson/rewardcheck': writes(400),
  'GET /api/lesson/video': signedIn(200, {}, { video: 'https://youtu.be/abcdefghijk' }),
  'GET /api/lesson/yours': signedIn(200),
  'GET /api/lesson/{id}': open(200, readers('200 article comment'), LESSON),
  'PUT /api/lesson/{id}': writes(
    403,
    { owner: 400, administrator: 400, staleAdministrator: 400 },
    { ...LESSON, description: 'Changed by {role}' },
  ),
  'PATCH /api/lesson/{id}': writes(
    403,
    { owner: '200 article', administrator: '200 article' },
    { ...LESSON, description: 'Changed by {role}' },
  ),
  'DELETE /api/lesson/{id}': writes(403, { owner: 200, administrator: 200 }, { id: '{newLesson}' }),
  'GET /api/liked': signedIn(200),
  // /api/message
  'GET /api/message/all/{receiver}': signedIn(200, { user: '200 message' }, { receiver: 'owner' }),
  'GET /api/message/contacts': signedIn(200, { user: '200 message', owner: '200 message' }),
  'POST /api/message/create': writes(
    200,
    {},
    { text: 'Hello from {role}', receiverUsername: 'listener' },
  ),
  'POST /api/message/read/{username}': writes(204, {}, { username: 'listener' }),
  'GET /api/message/unread': signedIn(200),
  ...learningRows,
  'GET /api/openapi.json': open(200),
  'GET /api/search': open(200),
  'GET /api/search/suggest': open(200),
  'GET /api/tag/{tag}': open(200, {}, { tag: 'music' }),
  // /api/upload
  'POST /api/upload/resource': writes(400),
  'HEAD /api/upload/resource/{id}': writes(403, { user: 412 }, { id: '{upload}' }),
  'PATCH /api/upload/resource/{id}': writes(403, { user: 412 }, { id: '{upload}' }),
  'DELETE /api/upload/resource/{id}': writes(403, { user: 412 }, { id: '{upload}' }),
  // Hub methods: 200 is an answer, 403 a refusal by the method, 401 a refused connection.
  'HUB Subscribe': signedIn(200, { suspended: 403 }, { arguments: ['{name}'] }),
  'HUB SendMessageToGroup': signedIn(
    200,
    { suspended: 403 },
    { arguments: ['listener', 'Spoken by {role}', ''] },
  ),
}
