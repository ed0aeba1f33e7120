/** The HTML page of the archive in the person's language. It opens from disk, without scripts and network. */
import { type Locale, tagOf } from '#contract/messages/messages.ts'
import type { Db } from '#server/platform/db/connect.ts'
import { findPerson, PARTS, readPart } from '#server/operate/exports/archive.ts'
import { fileInZip, hrefOf, pictureInZip } from '#server/operate/exports/places.ts'
import { writeSelfCheck } from '#server/operate/exports/self-checks.ts'
import { FIELD_WORDS, LIST_WORDS } from '#server/operate/exports/words.ts'
import { uploadIdIn } from '#server/platform/files/resources.ts'
import { translate } from '#server/kernel/text/messages.ts'
import { cleanArticle } from '#server/items/lessons/article.ts'
import { html, type Html } from '#server/platform/mail/html.ts'

export interface PageNeeds {
  readonly locale: Locale
  readonly site: string
  readonly now: Date
}

type Row = Readonly<Record<string, unknown>>

/** A list and its formatted rows. */
interface Section {
  readonly name: string
  readonly rows: AsyncIterable<readonly Row[]>
}

/** Loads only the pictures next to the page, even if somebody managed to inject HTML. */
const POLICY =
  "default-src 'none'; img-src file: 'self'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"

const STYLE = `:root{color-scheme:light dark;font:16px/1.5 system-ui,sans-serif}
body{max-width:60rem;margin:0 auto;padding:1rem;overflow-wrap:anywhere}
nav ul{columns:14rem;padding-left:1.2rem}
section{margin-block:2rem}
article{content-visibility:auto;contain-intrinsic-size:auto 12rem;border-top:1px solid color-mix(in srgb,currentColor 25%,transparent);padding-block:.75rem}
dl{display:grid;grid-template-columns:minmax(7rem,max-content) 1fr;gap:.15rem 1rem;margin:0}
dt{font-weight:600}dd{margin:0}
dd ol,dd ul{margin:0;padding-left:1.4rem}dd p{margin:.2rem 0 .6rem}
.text{white-space:pre-wrap}
img{max-width:20rem;width:100%;height:auto}
@media(max-width:30rem){dl{display:block}dd{margin-bottom:.4rem}}`

/** Yields the page in chunks, and reads each list in batches. */
export async function* writePage(db: Db, userId: string, needs: PageNeeds): AsyncGenerator<string> {
  const { locale, site, now } = needs
  const words = createWords(locale)
  const person = await findPerson(db, userId)
  const { sections, files } = listSections(db, userId, person)
  const title = translate(locale, 'exportPageTitle', { site })
  const what = translate(locale, 'exportPageWhat', { date: words.time(now.toISOString()) })
  const links = sections.map(
    ({ name }) => html`<li><a href="#${name}">${words.list(name)}</a></li>`,
  )
  // Written as a plain string, because a formatter would close the open tags in a template.
  yield `<!doctype html>\n<html lang="${locale}">${writeHead(title).markup}<body><main>`
  yield html`<h1>${title}</h1>
    <p>${what}</p>
    <nav>
      <ul>
        ${links}
      </ul>
    </nav>`.markup
  for (const { name, rows } of sections) {
    yield `<section id="${name}">${html`<h2>${words.list(name)}</h2>`.markup}`
    let isEmpty = true
    for await (const batch of rows) {
      isEmpty = false
      yield batch.map((row) => writeRow(words, row, { name, files }).markup).join('')
    }
    if (isEmpty) yield html`<p>${translate(locale, 'exportNothing')}</p>`.markup
    yield '</section>'
  }
  yield '</main></body></html>'
}

const writeHead = (title: string): Html =>
  html`<head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width" />
    <meta http-equiv="Content-Security-Policy" content="${POLICY}" />
    <title>${title}</title>
    <style>
      ${{ markup: STYLE }}
    </style>
  </head>`

/** One statement returns the person, their devices and their files. Everything else is read as lists. */
function listSections(db: Db, userId: string, person: Row | null) {
  const { files = [], devices = [], ...fields } = person ?? {}
  const uploads = Array.isArray(files) ? files.filter(isUpload) : []
  const sections: Section[] = [
    { name: 'person', rows: once(person === null ? [] : [fields]) },
    { name: 'devices', rows: once(Array.isArray(devices) ? devices : []) },
    ...PARTS.map((part) => ({ name: part.name, rows: readPart(db, part, userId) })),
    { name: 'files', rows: once(uploads) },
  ]
  return { sections, files: new Map(uploads.map((upload) => [upload.id, fileInZip(upload)])) }
}

interface Upload extends Row {
  readonly id: string
  readonly name: string
}

function isUpload(given: unknown): given is Upload {
  if (typeof given !== 'object' || given === null) return false
  return 'id' in given && 'name' in given && typeof given.name === 'string'
}

async function* once(rows: readonly Row[]): AsyncGenerator<readonly Row[]> {
  if (rows.length > 0) yield rows
}

interface Words {
  list(name: string): string
  field(name: string): string
  time(date: string): string
  value(value: unknown): string
  /** Texts in lists of self-checks. */
  readonly checks: Parameters<typeof writeSelfCheck>[2]
}

const ZONE = { timeZone: 'UTC', dateStyle: 'medium', timeStyle: 'short' } as const

function createWords(locale: Locale): Words {
  const times = new Intl.DateTimeFormat(tagOf(locale), ZONE)
  const numbers = new Intl.NumberFormat(tagOf(locale))
  const of = (words: typeof LIST_WORDS, name: string) => {
    const key = words[name]
    return key === undefined ? name : translate(locale, key)
  }
  const words: Words = {
    checks: {
      right: translate(locale, 'checkIsRight'),
      answer: (place) => translate(locale, 'checkAnswerNumber', { place }),
    },
    list: (name) => of(LIST_WORDS, name),
    field: (name) => of(FIELD_WORDS, name),
    time: (date) => `${times.format(new Date(date))} UTC`,
    value: (value) => {
      if (Array.isArray(value)) return value.map((one) => words.value(one)).join(', ')
      if (value instanceof Date) return words.time(value.toISOString())
      if (typeof value === 'boolean') return translate(locale, value ? 'exportYes' : 'exportNo')
      if (typeof value === 'number') return numbers.format(value)
      return typeof value === 'string' ? value : JSON.stringify(value)
    },
  }
  return words
}

interface RowPlace {
  readonly name: string
  /** Paths of uploads in the archive by their ids. */
  readonly files: ReadonlyMap<string, string>
}

/** Omits empty fields. */
function writeRow(words: Words, row: Row, place: RowPlace): Html {
  const fields = Object.entries(row).filter(([, value]) => !isEmpty(value))
  return html`<article>
    <dl>
      ${fields.map(
        ([field, value]) =>
          html`<dt>${words.field(field)}</dt>
            ${writeValue(words, field, value, row, place)}`,
      )}
    </dl>
  </article>`
}

const isEmpty = (value: unknown): boolean =>
  value === null || value === '' || (Array.isArray(value) && value.length === 0)

/** Fields with user text, whose line breaks are preserved. */
const TEXTS = ['text', 'description', 'opening', 'note']

function writeValue(
  words: Words,
  field: string,
  value: unknown,
  row: Row,
  { name, files }: RowPlace,
): Html {
  if (field === 'article' && typeof value === 'string')
    return html`<dd>${{ markup: cleanArticle(value) }}</dd>`
  if (name === 'pictures' && field === 'picture' && typeof row['id'] === 'number')
    return html`<dd><img src="${hrefOf(pictureInZip(row['id']))}" alt="" /></dd>`
  const file =
    name === 'files' && field === 'name'
      ? files.get(String(row['id']))
      : field === 'resources' && files.get(uploadIdIn(String(value)) ?? '')
  if (typeof file === 'string')
    return html`<dd>
      <a href="${hrefOf(file)}"
        >${name === 'files' ? String(value) : (file.split('/').at(-1) ?? file)}</a
      >
    </dd>`
  const check = writeSelfCheck(field, value, words.checks)
  if (check !== null) return html`<dd>${check}</dd>`
  if (MOMENTS.test(field) && isDate(value))
    return html`<dd>${words.time(String(value instanceof Date ? value.toISOString() : value))}</dd>`
  if (field === 'id' || field === 'lesson' || field === 'item')
    return html`<dd>${String(value)}</dd>`
  if (TEXTS.includes(field)) return html`<dd class="text">${String(value)}</dd>`
  return html`<dd>${words.value(value)}</dd>`
}

/** Fields that contain a time. */
const MOMENTS = /^(?:date|seen|expires|lastUsed)$|At$|Date$|Since$/

const isDate = (value: unknown): boolean =>
  value instanceof Date || (typeof value === 'string' && !Number.isNaN(Date.parse(value)))
