/**
 * The database catalogue shows which columns refer to a person or a file. The statements of erasure, export and
 * sweeps must name each of them, or the `personal.ts` of the folder gives a reason.
 */
import pg from 'pg'
import { expect, test, vi } from 'vitest'
import type { Reasons } from '#server/platform/core/personal.ts'
import { PERSONAL_DATA } from '#server/operate/exports/personal-data.ts'
import type { Person } from '#server/testing/app.ts'
import { uploadFile } from '#server/testing/http/forms.ts'
import { openTestApp } from '#server/testing/setup.ts'

/** `table.column` */
type Column = string

/** Columns that only look like references to people. */
const NOBODY: Reasons = {
  'account_tokens.id': 'the id of a mailed link',
  'comments.draft_id': 'made by a form',
  'course_drafts.draft_id': 'made by a form',
  'lesson_drafts.draft_id': 'made by a form',
  'mails.subject': 'the line that stands over a mail',
  'mails.token_id': 'the id of a mailed link',
  'messages.draft_id': 'made by a form',
  'moderation_log.subject': 'the title or text of an item',
  'moderation_log.subject_id': 'the id of an item',
  'passkey_challenges.session_id': 'the id of a session',
  'sessions.id': 'the id of a session',
  'uploads.id': 'the id of a file',
  'webhook_deliveries.event_id': 'the id of what happened',
  'webhook_events.id': 'the id of what happened',
}

function reasonsOf(what: 'stays' | 'notExported'): Reasons {
  return Object.fromEntries(PERSONAL_DATA.flatMap((data) => Object.entries(data[what] ?? {})))
}

/** File references that no sweep reads. */
const NOT_SWEPT: Reasons = {
  'lesson_contents.resources':
    'an address, as its author wrote it; which upload it is says uploads.lesson_id, which the sweep reads',
}

interface Sent {
  readonly text: string
  readonly values: string
}

/** Returns the statements of all connections while `act` runs. */
async function statementsOf(act: () => Promise<unknown>): Promise<Sent[]> {
  const spy = vi.spyOn(pg.Client.prototype, 'query')
  await act()
  const calls: readonly (readonly unknown[])[] = spy.mock.calls
  spy.mockRestore()
  return calls.flatMap(([query, values]) => {
    if (typeof query === 'string') return [{ text: query, values: JSON.stringify(values ?? []) }]
    const sent = query as { readonly text?: string; readonly values?: unknown } | null
    if (sent?.text === undefined) return []
    return [{ text: sent.text, values: JSON.stringify(sent.values ?? []) }]
  })
}

/** The lesson is sold, so that the erasure keeps it. */
async function leaveTraces(ann: Person, bob: Person): Promise<void> {
  const resources = await uploadFile(app, ann, 'notes.txt')
  const { id } = await app.publishLesson(ann, { resources })
  await app.give(bob, 1000)
  expect((await app.call('POST', `/lesson/buy/${id}`, { as: bob })).status).toBe(200)
  // Settles the sale, so that its notice is not among the statements of the export.
  await app.runJobs()
  await app.app.database.pool.query('update pictures set look_at = now()')
}

const app = await openTestApp()
const ann = await app.signUp('ann')
await leaveTraces(ann, await app.signUp('bob'))
const isAbout = ({ values }: Sent) => values.includes(ann.session._id)
const exported = await statementsOf(() => app.call('GET', '/identity/export', { as: ann }))
const exporting = exported.filter(isAbout)
const sweeping = await statementsOf(async () => {
  await app.app.database.pool.query(
    `select graphile_worker.add_job(name) from unnest(array['sweepPictures', 'clearUnattached']) name`,
  )
  await app.runJobs()
})
const erased = await statementsOf(async () => {
  const json = { password: ann.password }
  const { status } = await app.call('POST', '/identity/erase', { as: ann, json })
  expect(status).toBe(204)
  await app.runJobs()
})
const erasing = erased.filter(isAbout)

/** Returns true if a statement names a column, qualified or not. */
function names({ text }: Pick<Sent, 'text'>, column: Column): boolean {
  const [table = '', name = ''] = column.split('.')
  const named = new RegExp(
    `(?<=\\b(?:from|join|update|into|only)\\s+"?|,\\s*"?)\\b${table}\\b"?(?:\\s+(?:as\\s+)?"?(\\w+))?`,
    'gi',
  )
  const aliases = [...text.matchAll(named)].map((match) => match[1] ?? table)
  if (aliases.length === 0) return false
  const qualified = new RegExp(`\\b(?:${[table, ...aliases].join('|')})"?\\."?${name}\\b`)
  const alone = new RegExp(`(?<![."\\w])"?\\b${name}\\b(?!"?\\.)`)
  return qualified.test(text) || alone.test(text)
}

/** Returns true if a statement deletes or updates rows by the column. */
function clears(sent: Pick<Sent, 'text'>, column: Column, isReference = true): boolean {
  const [table = ''] = column.split('.')
  const isWritten = (verb: string) => new RegExp(`\\b${verb}\\s+"?${table}\\b`, 'i').test(sent.text)
  if (isWritten('delete from')) return !isReference || names(sent, column)
  return isWritten('update') && names(sent, column)
}

async function columnsWhere(condition: string): Promise<Column[]> {
  const { rows } = await app.app.database.pool.query<{ column: string }>(
    `select distinct relation.relname || '.' || attribute.attname as column
    from pg_attribute attribute
    join pg_class relation on relation.oid = attribute.attrelid and relation.relkind in ('r', 'p')
    join pg_namespace space on space.oid = relation.relnamespace and space.nspname = 'public'
    left join pg_constraint reference on reference.conrelid = relation.oid and reference.contype = 'f'
      and attribute.attnum = any(reference.conkey)
    where attribute.attnum > 0 and not attribute.attisdropped and (${condition}) order by 1`,
  )
  return rows.map((row) => row.column)
}

/** A reference to a person, a column of the same type, or a name that contains person, name or address. */
const OF_PERSONS = `reference.confrelid = 'users'::regclass
  or attribute.atttypid = 'uuid'::regtype
  or attribute.attname ~ '(^|_)(user|owner|person|viewer|actor|sender|receiver|reporter|subject|username|email|address|by)(_|$)'
    and attribute.atttypid in ('text'::regtype, 'varchar'::regtype)
  or attribute.attname = 'reply_to'`

/** A reference to a picture or upload, or a name that contains file. */
const OF_FILES = `reference.confrelid in ('pictures'::regclass, 'uploads'::regclass)
  or relation.relname = 'uploads' and attribute.attname = 'id'
  or attribute.attname ~ '(^|_)(key|picture|image|file|upload|attachment|resources?|cover|thumbnail)(_|$)'`

async function peopleColumns(): Promise<Column[]> {
  const columns = await columnsWhere(OF_PERSONS)
  expect(Object.keys(NOBODY).filter((column) => !columns.includes(column))).toEqual([])
  return columns.filter((column) => !(column in NOBODY))
}

/** Returns columns that no statement names, and unnecessary reasons. */
function compare(
  columns: readonly Column[],
  reasons: Reasons,
  isNamed: (column: Column) => boolean,
) {
  return {
    forgotten: columns.filter((column) => !isNamed(column) && !(column in reasons)),
    needless: Object.keys(reasons).filter((column) => !columns.includes(column) || isNamed(column)),
  }
}

const nothing = { forgotten: [], needless: [] }

test('statements are parsed correctly', () => {
  const reads = (text: string, column: Column) => names({ text }, column)
  expect(reads('select u.picture_id from users u', 'users.picture_id')).toBe(true)
  expect(reads('select true from users u where u.picture_id = 1', 'users.picture_id')).toBe(true)
  expect(reads('select l.owner_id from users u, lessons l', 'users.owner_id')).toBe(false)
  expect(reads('select l.owner_id from users u, lessons l', 'lessons.owner_id')).toBe(true)
  expect(reads('delete from "sessions" where "user_id" = $1', 'sessions.user_id')).toBe(true)
  expect(reads('select "a"."user_id" from a, sessions', 'sessions.user_id')).toBe(false)
  expect(reads('select l.comments, l.user_id from lessons l', 'comments.user_id')).toBe(false)
  expect(clears({ text: 'select user_id from sessions' }, 'sessions.user_id')).toBe(false)
  const byId = { text: 'delete from sessions where id = $1' }
  expect(clears(byId, 'sessions.user_id')).toBe(false)
  expect(clears(byId, 'sessions.address', false)).toBe(true)
  expect(clears({ text: 'update mails set text = null' }, 'mails.user_id')).toBe(false)
})

test('erasure names every column that leads to a person, or says why it stays', async () => {
  const references = await columnsWhere(`reference.confrelid = 'users'::regclass`)
  const isNamed = (column: Column) =>
    erasing.some((sent) => clears(sent, column, references.includes(column)))
  expect(compare(await peopleColumns(), reasonsOf('stays'), isNamed)).toEqual(nothing)
})

test('the export names every column that leads to a person, or says why it does not', async () => {
  const isNamed = (column: Column) => exporting.some((sent) => names(sent, column))
  expect(compare(await peopleColumns(), reasonsOf('notExported'), isNamed)).toEqual(nothing)
})

/** Reasons that apply to columns of any table. */
const WORKINGS: readonly (readonly [RegExp, string])[] = [
  [/_folded$|_skeleton$/, 'a spelling for searches of what the export has as it was written'],
  [/\.draft_id$/, 'made by a form, so that a repeated one makes nothing twice'],
  [/^(?:lessons|courses)\.(?:refunds_due|kept_for_buyers)$/, 'what remains to be done for buyers'],
  [/^uploads\.(?:holder|held_until|is_wanted)$/, 'who writes the file at the moment'],
  [/^messages\.(?:delivered_at|claimed_at)$/, 'whether it has reached the receiver'],
  [
    /^item_drafts\.(?:form|version|files)$/,
    'which form it fills, how often it was saved, and its files',
  ],
  [/^lesson_progress\.(?:placed_at|marked_at)$/, 'which of two reports is the newer one'],
  [/^notices\.(?:comment_id|day|digest_mail|noticed_at|topic)$/, 'how they are grouped and sent'],
  [/^notice_digests\.last_mail$/, 'the number of a mail that is in their own mailbox'],
  [/^sessions\.(?:generation|rotated_at|wrote_at|confirmed_at|id|expires_at)$/, 'of the key'],
]

/** Why the export omits columns of tables that it reads. */
const NOT_EXPORTED: Reasons = {
  'access_tokens.hash': 'of a secret that their own program holds',
  'course_purchases.share': 'what of the price the author got, which stands in the author’s ledger',
  'courses.lesson_count': 'the export has the lessons themselves',
  'courses.rating_rank': 'where lists have it; it follows from the average and the number',
  'invitations.hash': 'of the secret in a link that they passed on',
  'lesson_purchases.share': 'what of the price the author got, which stands in the author’s ledger',
  'lessons.rating_rank': 'the same of a lesson',
  'passkeys.cose': 'a public key, which says nothing of a person',
  'passkeys.counter': 'how often the key was used, as their own device counts it',
  'passkeys.credential': 'the key’s own number, known to their device',
  'passkeys.transports': 'how their device is asked for it',
  'pictures.look_at': 'when the sweep looks at it again',
  'pictures.placeholder': 'a few bytes that stand for the picture while it loads',
  'point_entries.occurrence': 'tells lines of one kind apart; time and number do so too',
  'sessions.provider_sid': 'a random name by which the provider tells of its end',
  'users.password_hash': 'a secret, of use to whoever finds the copy',
}

test('the export names every personal column of its tables, or gives a reason', async () => {
  const people = await peopleColumns()
  const tables = new Set(
    people
      .filter((column) => !(column in reasonsOf('notExported')))
      .filter((column) => exporting.some((sent) => names(sent, column)))
      .map((column) => column.split('.')[0]),
  )
  const columns = (await columnsWhere('true')).filter((column) => tables.has(column.split('.')[0]))
  const forgotten = columns
    .filter((column) => !exporting.some((sent) => names(sent, column)))
    .filter((column) => !WORKINGS.some(([pattern]) => pattern.test(column)))
    .filter((column) => !(column in reasonsOf('notExported')))
  expect(forgotten).toEqual(Object.keys(NOT_EXPORTED))
})

test('the sweeps name every column with a file, or give a reason', async () => {
  const isNamed = (column: Column) => sweeping.some((sent) => names(sent, column))
  expect(compare(await columnsWhere(OF_FILES), NOT_SWEPT, isNamed)).toEqual(nothing)
})
