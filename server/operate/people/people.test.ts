/** The desk's list of people, and what administrators do to accounts. The access table tests who may. */
import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, test } from 'vitest'
import type { Problem } from '#contract/errors.ts'
import type { LogEntry } from '#contract/moderation.ts'
import type { Notice } from '#contract/notices.ts'
import type { ListedPerson, PersonFile } from '#contract/people.ts'
import type { Ledger } from '#contract/points.ts'
import { setRole } from '#server/people/accounts/store.ts'
import type { Person } from '#server/testing/app.ts'
import { done, refusalOf } from '#server/testing/http/answers.ts'
import { settleAll } from '#server/testing/learning/notices.ts'
import { mailsTo } from '#server/testing/links.ts'
import { formOf } from '#server/testing/http/forms.ts'
import { signUpAll } from '#server/testing/people.ts'
import { setUser } from '#server/testing/rows.ts'
import { armTotp } from '#server/testing/sign-in/totp.ts'
import { openTestApp } from '#server/testing/setup.ts'

const REASON = 'Counted twice'
const NOBODY = '00000000-0000-7000-8000-000000000000'

const app = await openTestApp()
const { admin, boss, ann, ivan } = await signUpAll(app, 'admin', 'boss', 'ann', 'ivan')
beforeEach(async () => {
  for (const name of ['admin', 'boss']) await setRole(app.app.database.db, name, 'administrator')
})

const idOf = (person: Person) => person.session._id
const act = (as: Person, of: string, path: string, fields: Record<string, unknown>) =>
  app.call<Problem & { kbPoints: number; debt: number }>('POST', `/admin/people/${of}/${path}`, {
    as,
    json: { reason: REASON, ...fields },
  })
const correct = (amount: unknown, fields: Record<string, unknown> = {}, as = admin) =>
  act(as, idOf(ann), 'points', { amount, draftId: randomUUID(), ...fields })
const logAbout = (person: Person) =>
  done<LogEntry[]>(app, admin, `GET /admin/log?person=${idOf(person)}`)
const ledgerOf = (person: Person) =>
  done<Ledger>(app, admin, `GET /admin/people/${idOf(person)}/points`)

describe('the list of people', () => {
  const find = async (query: string) => {
    const { people } = await done<{ people: ListedPerson[] }>(
      app,
      admin,
      `GET /admin/people?${query}`,
    )
    return people.map(({ userName }) => userName)
  }

  test('finds parts of names and addresses, and ids, the best matches first', async () => {
    await signUpAll(app, 'Marianna', 'annika')
    await setUser(app, ivan, {
      email: 'Hello.Joanna@school.bg',
      email_folded: 'hello.joanna@school.bg',
    })
    expect(await find('search=ann')).toEqual(['ann', 'annika', 'ivan', 'Marianna'])
    expect(await find('search=ANNA%40School')).toEqual(['ivan'])
    expect(await find('search=hello.joanna%40school.bg')).toEqual(['ivan'])
    expect(await find('search=he')).toEqual(['ivan'])
    expect(await find('search=a_n')).toEqual([])
    expect(await find(`search=${idOf(ivan)}`)).toEqual(['ivan'])
  })
  test('finds the previous address while a changed one is unconfirmed', async () => {
    await setUser(app, ivan, { previous_email: 'old@dir.bg', previous_email_folded: 'old@dir.bg' })
    expect(await find('search=old%40dir')).toEqual(['ivan'])
  })
  test('filters by role, suspension and unconfirmed address', async () => {
    await setUser(app, ann, { email_confirmed_at: new Date(), suspended_at: new Date() })
    expect((await find('role=administrator')).toSorted()).toEqual(['admin', 'boss'])
    expect(await find('suspended=on')).toEqual(['ann'])
    expect(await find('suspended=on&unconfirmed=on')).toEqual([])
    expect(await find('unconfirmed=on')).not.toContain('ann')
    expect(await find('search=iv&role=administrator')).toEqual([])
    await setUser(app, ann, { suspended_at: null })
  })
  test('leaves out erased accounts', async () => {
    await setUser(app, ivan, { erased_at: new Date() })
    expect(await find('search=ivan')).toEqual([])
    expect((await app.call('GET', `/admin/people/${idOf(ivan)}`, { as: admin })).status).toBe(404)
    await setUser(app, ivan, { erased_at: null })
  })
})

test('a person’s page has their account, items, sessions and reports', async () => {
  const { id } = await app.publishLesson(ivan)
  await done(app, ann, 'POST /flag', {
    kind: 'lesson',
    id: String(id),
    text: 'Spam, I think',
  })
  const file = await done<PersonFile>(app, admin, `GET /admin/people/${idOf(ivan)}`)
  expect(file).toMatchObject({
    userName: 'ivan',
    role: 'user',
    counts: { lessons: 1, courses: 0 },
    items: [{ kind: 'lesson', id }],
    sessions: [{ here: false }],
    flagsAbout: [{ text: 'Spam, I think', subjectId: String(id) }],
    flagsBy: [],
  })
  const other = await done<PersonFile>(app, admin, `GET /admin/people/${idOf(ann)}`)
  expect(other).toMatchObject({ flagsAbout: [], flagsBy: [{ text: 'Spam, I think' }] })
})

describe('a correction of points', () => {
  test('is refused without a reason or an amount, for oneself and for nobody', async () => {
    for (const amount of [0, 1.5, '1e3', '', null, 100_001, '-100001'])
      expect((await correct(amount)).status).toBe(400)
    for (const fields of [{ reason: 'no' }, { draftId: undefined }])
      expect((await correct(5, fields)).status).toBe(400)
    const own = await act(admin, idOf(admin), 'points', { amount: 5, draftId: randomUUID() })
    expect([own.status, own.body.title]).toEqual([
      409,
      'You can’t correct your own points. Ask another administrator.',
    ])
    expect((await act(admin, NOBODY, 'points', { amount: 5, draftId: randomUUID() })).status).toBe(
      404,
    )
    expect((await ledgerOf(ann)).total).toBe(0)
  })

  test('is one line, one notice and one log entry, however often it is sent', async () => {
    const draftId = randomUUID()
    const answers = await Promise.all(Array.from({ length: 5 }, () => correct('+250', { draftId })))
    expect(answers.map(({ status, body }) => [status, body.kbPoints])).toEqual(
      Array.from({ length: 5 }, () => [200, 250]),
    )
    const { entries } = await ledgerOf(ann)
    expect(entries).toMatchObject([
      { amount: 250, reason: 'corrected', note: REASON, balance: 250 },
    ])
    expect(await logAbout(ann)).toMatchObject([
      { action: 'pointsCorrected', subject: '250', reason: REASON, actor: { userName: 'admin' } },
    ])
    await settleAll(app)
    const { notices } = await done<{ notices: Notice[] }>(app, ann, 'GET /notice/all')
    expect(notices.filter(({ kind }) => kind === 'points')).toMatchObject([
      { detail: 'corrected', amount: 250, note: REASON, actor: null },
    ])
  })

  test('below zero makes a debt, and is taken back once', async () => {
    expect((await correct(-400)).body).toEqual({ kbPoints: 0, debt: 150 })
    const [entry] = (await ledgerOf(ann)).entries
    const undo = () => act(boss, idOf(ann), 'points/undo', { entry: entry?.id })
    const answers = await Promise.all([undo(), undo(), undo()])
    expect(answers.map(({ body }) => body)).toEqual(
      Array.from({ length: 3 }, () => ({ kbPoints: 250, debt: 0 })),
    )
    expect((await logAbout(ann)).slice(0, 2)).toMatchObject([
      { action: 'correctionUndone', subjectId: String(entry?.id), actor: { userName: 'boss' } },
      { action: 'pointsCorrected', subject: '-400' },
    ])
    expect((await act(boss, idOf(ivan), 'points/undo', { entry: entry?.id })).status).toBe(404)
  })
})

test('an erasure clears the reasons of corrections, and the ledger still balances', async () => {
  const { zoe } = await signUpAll(app, 'zoe')
  await act(admin, idOf(zoe), 'points', { amount: 30, draftId: randomUUID() })
  await done(app, zoe, 'POST /identity/erase', { password: zoe.password })
  await app.app.runJobs()
  const { rows } = await app.app.database.pool.query(
    `select amount, reason, note from point_entries where user_id = $1`,
    [idOf(zoe)],
  )
  expect(rows).toEqual([{ amount: 30, reason: 'corrected', note: null }])
})

describe('a role', () => {
  const setRoleOf = (person: Person, role: string, as = admin) =>
    act(as, idOf(person), 'role', { role })
  const countAdministrators = async () => {
    const { rows } = await app.app.database.pool.query<{ count: number }>(
      `select count(*) from users where role = 'administrator' and suspended_at is null`,
    )
    return rows[0]?.count
  }

  test('is given and taken with a reason, which the person gets by mail', async () => {
    expect((await setRoleOf(ann, 'chief')).status).toBe(400)
    await setUser(app, ann, { suspended_at: new Date() })
    expect((await setRoleOf(ann, 'administrator')).body.title).toBe(
      'ann is suspended. Lift the suspension first.',
    )
    await setUser(app, ann, { suspended_at: null })
    const before = (await mailsTo(app, ann)).length
    for (const role of ['administrator', 'administrator', 'user', 'user'])
      expect((await setRoleOf(ann, role)).status).toBe(204)
    const mails = (await mailsTo(app, ann)).slice(before)
    expect(mails.map(({ subject }) => subject)).toEqual(['mailMadeSubject', 'mailUnmadeSubject'])
    expect((await logAbout(ann)).slice(0, 2).map(({ action }) => action)).toEqual([
      'administratorRemoved',
      'administratorMade',
    ])
  })

  test('of two administrators who remove each other at once, one stays', async () => {
    for (let round = 0; round < 5; round += 1) {
      const answers = await Promise.all([
        setRoleOf(boss, 'user', admin),
        setRoleOf(admin, 'user', boss),
      ])
      expect(answers.filter(({ status }) => status === 204)).toHaveLength(1)
      expect(await countAdministrators()).toBe(1)
      for (const name of ['admin', 'boss'])
        await setRole(app.app.database.db, name, 'administrator')
    }
  })

  test('the last administrator stays one', async () => {
    await setUser(app, boss, { suspended_at: new Date() })
    const { status, body } = await setRoleOf(admin, 'user')
    expect([status, body.title]).toEqual([
      409,
      'This is the last administrator. Make somebody else one first.',
    ])
    await setUser(app, boss, { suspended_at: null })
    expect((await setRoleOf(admin, 'user')).status).toBe(204)
  })
})

test('second factors are reset with a reason, but not those of oneself', async () => {
  const reset = (person: Person) => act(admin, idOf(person), 'factors/reset', {})
  expect((await reset(admin)).status).toBe(409)
  expect((await reset(ivan)).body.title).toBe('ivan has no second step.')
  await armTotp(app, ivan)
  const login = () =>
    app.call<Problem>('POST', '/identity/login', {
      json: { username: 'ivan', password: ivan.password },
    })
  expect(refusalOf(await login())).toMatch(/^401/)
  expect((await reset(ivan)).status).toBe(204)
  expect((await login()).status).toBe(200)
  expect((await logAbout(ivan))[0]).toMatchObject({ action: 'factorsReset', reason: REASON })
  expect((await mailsTo(app, ivan)).at(-1)?.subject).toBe('mailFactorOffSubject')
})

test('a text about oneself is deleted with a reason and told, and an appeal brings it back whole', async () => {
  const about = 'Buy my pills. '.repeat(21).trim()
  const write = (text: string) => done(app, ann, 'PATCH /identity/update', formOf({ about: text }))
  const aboutAnn = async () =>
    (await done<PersonFile>(app, admin, `GET /admin/people/${idOf(ann)}`)).about
  await write(about)
  expect((await act(admin, idOf(ann), 'about/delete', { about, reason: 'no' })).status).toBe(400)
  expect((await act(admin, idOf(ann), 'about/delete', { about: 'Another' })).status).toBe(409)
  const deleteAbout = () => act(admin, idOf(ann), 'about/delete', { about })
  expect((await deleteAbout()).status).toBe(204)
  expect((await deleteAbout()).status).toBe(204)
  expect(await aboutAnn()).toBe('')
  const [entry, ...more] = (await logAbout(ann)).filter(({ action }) => action === 'aboutDeleted')
  expect([entry?.subject, entry?.reason, more]).toEqual([about, REASON, []])
  await settleAll(app)
  const { notices } = await done<{ notices: Notice[] }>(app, ann, 'GET /notice/all')
  expect(notices[0]).toMatchObject({ kind: 'moderation', detail: 'aboutDeleted', note: REASON })

  const appeal = { act: `act-${entry?.id ?? 0}`, text: 'They are sweets.' }
  const { id } = await done<{ id: number }>(app, ann, 'POST /appeal/create', appeal)
  await done(app, boss, `POST /appeal/decide/${id}`, { granted: true, text: 'So they are.' })
  expect(await aboutAnn()).toBe(about)

  await done(app, ann, 'POST /identity/erase', { password: ann.password })
  await app.runJobs()
  const { rows } = await app.app.database.pool.query<{ subject: string | null }>(
    `select subject from moderation_log where subject like 'Buy my pills%'`,
  )
  expect(rows).toEqual([])
})
