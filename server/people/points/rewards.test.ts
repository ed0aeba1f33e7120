import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { award, balanceOf } from '#server/people/points/ledger.ts'
import { judgeReward } from '#server/people/points/judging.ts'
import {
  followLessonEdit,
  grantLessonReward,
  withdrawLessonReward,
} from '#server/people/points/rewards.ts'
import { deleteOldFingerprints, retireFingerprint } from '#server/people/points/fingerprints.ts'
import { connectTestDatabase } from '#server/testing/database.ts'
import { addAuthor } from '#server/testing/rows.ts'
import { closeAtEnd } from '#server/testing/setup.ts'

const { db } = closeAtEnd(await connectTestDatabase())

const day = '2026-11-21'
const limit = 10
const AT = new Date('2026-11-21T12:00:00Z')
let count = 0

const createAuthor = () => addAuthor(db, 0, AT)

const textOf = (from: number, words: number) =>
  Array.from({ length: words }, (_, place) => `word${from + place}`).join(' ')

/** A lesson that resembles no other, unless changed. */
function lessonOf(
  userId: string,
  change: { videoId?: string; articleText?: string; at?: Date } = {},
) {
  count += 1
  return {
    userId,
    lessonId: count,
    title: `Lesson ${count}`,
    videoId: String(count).padStart(11, '_'),
    articleText: textOf(count * 1000, 102),
    at: AT,
    ...change,
  }
}
type Given = ReturnType<typeof lessonOf>

const publish = (lesson: Given, rules: { day?: string; limit?: number } = {}) =>
  db.transaction().execute((tx) => grantLessonReward(tx, { ...lesson, day, limit, ...rules }))
const withdrawOf = (lesson: Given) =>
  db.transaction().execute((tx) => withdrawLessonReward(tx, lesson, 'removal'))
const edit = (lesson: Given) => db.transaction().execute((tx) => followLessonEdit(tx, lesson))

describe('the reward of a lesson', () => {
  it('is withheld for the same video', async () => {
    const author = await createAuthor()
    const first = lessonOf(author)
    await publish(first)
    expect(await publish(lessonOf(author, { videoId: first.videoId }))).toEqual({
      rewarded: false,
      rewardReason: 'sameVideo',
      kbPoints: 100,
    })
  })

  it.each([
    ['in other case', (text: string) => text.toUpperCase()],
    ['with other letters that look the same', (text: string) => text.replaceAll('o', 'о')],
    ['with invisible characters', (text: string) => text.split('').join('\u200B')],
    ['in full width', (text: string) => text.replaceAll('w', 'ｗ')],
    ['with other punctuation', (text: string) => text.replaceAll(' ', ' — ')],
    ['with a new first word', (text: string) => `Really ${text}`],
    ['with a new word in the middle', (text: string) => text.replace(/ (\S+)$/, ' new $1')],
  ])('is withheld for the same article %s', async (_, change) => {
    const author = await createAuthor()
    const first = lessonOf(author)
    await publish(first)
    const second = lessonOf(author, { articleText: change(first.articleText) })
    expect(await publish(second)).toMatchObject({ rewarded: false, rewardReason: 'sameArticle' })
  })

  it('is withheld from four fifths alike on', async () => {
    // With 100 grams each, 89 shared ones are 0.802 of the union, and 88 are 0.786.
    const author = await createAuthor()
    const first = lessonOf(author)
    await publish(first)
    const shared = (grams: number) =>
      `${first.articleText
        .split(' ')
        .slice(0, grams + 2)
        .join(' ')} ${textOf(count * 7777, 98 - grams + 2)}`
    const enough = lessonOf(author, { articleText: shared(89) })
    const below = lessonOf(await createAuthor(), { articleText: shared(88) })
    expect(await publish(enough)).toMatchObject({ rewardReason: 'sameArticle' })
    expect(await publish(below)).toMatchObject({ rewarded: true })
  })

  it('is withheld above the daily limit', async () => {
    const author = await createAuthor()
    const answers = []
    for (let lesson = 0; lesson < 3; lesson += 1) {
      answers.push(await publish(lessonOf(author), { limit: 2 }))
    }
    expect(answers.map((answer) => answer.rewardReason)).toEqual([null, null, 'dailyLimit'])
    expect(await publish(lessonOf(author), { limit: 2, day: '2026-11-22' })).toEqual({
      rewarded: true,
      rewardReason: null,
      kbPoints: 300,
    })
  })

  it('is given once of two of the same video at once', async () => {
    const author = await createAuthor()
    const first = lessonOf(author)
    const answers = await Promise.all([
      publish(first),
      ...Array.from({ length: 7 }, () => publish(lessonOf(author, { videoId: first.videoId }))),
    ])
    expect(answers.filter((answer) => answer.rewarded)).toHaveLength(1)
    expect(await balanceOf(db, author)).toEqual({ kbPoints: 100, debt: 0 })
  })

  it('is withheld for the article of anybody, even of a lesson without a reward', async () => {
    const first = lessonOf(await createAuthor())
    await publish(first, { limit: 0 })
    const { articleText } = first
    const same = lessonOf(await createAuthor(), { articleText })
    expect(await publish(same)).toMatchObject({ rewarded: false, rewardReason: 'sameArticle' })
  })

  it('is given for a video to three authors, once each', async () => {
    const videoId = 'shared_vid_'
    const authors = await Promise.all([1, 2, 3, 4].map(createAuthor))
    const answers = []
    for (const author of authors) answers.push(await publish(lessonOf(author, { videoId })))
    expect(answers.map(({ rewardReason }) => rewardReason)).toEqual([null, null, null, 'sameVideo'])
    expect(await publish(lessonOf(authors[0] ?? '', { videoId }))).toMatchObject({
      rewardReason: 'sameVideo',
    })
  })

  it('is given once of four variations within a day', async () => {
    // 100 grams each, of which 80 are shared: 80 / 120 = 0.67.
    const author = await createAuthor()
    const { articleText } = lessonOf(author)
    const variation = (at: Date) =>
      lessonOf(author, {
        at,
        articleText: `${articleText.split(' ').slice(0, 82).join(' ')} ${textOf(count * 3333, 20)}`,
      })
    const answers = []
    for (let place = 0; place < 4; place += 1) answers.push(await publish(variation(AT)))
    expect(answers.map(({ rewardReason }) => rewardReason)).toEqual([
      null,
      'ownSeries',
      'ownSeries',
      'ownSeries',
    ])
    const nextDay = new Date(AT.getTime() + 24 * 60 * 60 * 1000)
    expect(await publish(variation(nextDay))).toMatchObject({ rewarded: true })
    expect(await publish(lessonOf(author))).toMatchObject({ rewarded: true })
  })

  it('is withheld for what was deleted or edited away in the last 90 days', async () => {
    const author = await createAuthor()
    const gone = lessonOf(author)
    const edited = lessonOf(author)
    await publish(gone)
    await publish(edited)
    await db.transaction().execute((tx) => retireFingerprint(tx, gone.lessonId, AT))
    await edit({ ...edited, articleText: lessonOf(author).articleText })
    const days = (number: number) => new Date(AT.getTime() + number * 24 * 60 * 60 * 1000)
    for (const { articleText } of [gone, edited]) {
      const copy = lessonOf(await createAuthor(), { articleText, at: days(89) })
      expect(await judgeReward(db, { ...copy, day, limit })).toMatchObject({
        rewardReason: 'sameArticle',
      })
      expect(await judgeReward(db, { ...copy, at: days(91), day, limit })).toMatchObject({
        rewarded: true,
      })
    }
    await deleteOldFingerprints(db, days(91))
    const { rows } = await sql`
      select from lesson_fingerprints where lesson_id = ${gone.lessonId}`.execute(db)
    expect(rows).toEqual([])
  })

  it('is given once of eight copies that different authors publish at once', async () => {
    const authors = await Promise.all(Array.from({ length: 8 }, createAuthor))
    const { articleText } = lessonOf(authors[0] ?? '')
    const answers = await Promise.all(
      authors.map((author, place) =>
        publish(lessonOf(author, { articleText: `${articleText} ending${place}` })),
      ),
    )
    expect(answers.filter(({ rewarded }) => rewarded)).toHaveLength(1)
  })

  it('is foretold as it will be', async () => {
    const author = await createAuthor()
    const first = lessonOf(author)
    expect(await judgeReward(db, { ...first, day, limit })).toEqual({
      rewarded: true,
      rewardReason: null,
    })
    await publish(first)
    expect(await judgeReward(db, { ...first, day, limit })).toEqual({
      rewarded: false,
      rewardReason: 'sameVideo',
    })
  })

  it('is taken back once, and frees its video', async () => {
    const author = await createAuthor()
    const first = lessonOf(author)
    await publish(first)
    const item = { kind: 'lesson', id: 1_000_000, title: 'Bought' } as const
    await db
      .transaction()
      .execute((tx) => award(tx, { at: AT, userId: author, amount: -100, reason: 'bought', item }))
    const answers = await Promise.all([withdrawOf(first), withdrawOf(first)])
    expect(answers.filter((answer) => answer !== null)).toEqual([
      { userId: author, amount: 100, kbPoints: 0 },
    ])
    expect(await balanceOf(db, author)).toEqual({ kbPoints: 0, debt: 100 })
    const { videoId } = first
    expect(await publish(lessonOf(author, { videoId }))).toEqual({
      rewarded: true,
      rewardReason: null,
      kbPoints: 0,
    })
  })

  it('goes when an edit makes the lesson another one', async () => {
    const author = await createAuthor()
    const first = lessonOf(author)
    const second = lessonOf(author)
    await publish(first)
    await publish(second)
    expect(await edit({ ...second, videoId: first.videoId })).toEqual({
      kbPoints: 100,
      withdrawn: true,
    })
    expect(await edit(second)).toEqual({ kbPoints: 100, withdrawn: false })
  })

  it('stays with an edited lesson and stands for its new content', async () => {
    const author = await createAuthor()
    const first = lessonOf(author)
    await publish(first)
    const edited = { ...first, videoId: 'new_video__', articleText: textOf(5, 60) }
    expect(await edit(edited)).toEqual({ kbPoints: 100, withdrawn: false })
    expect(await edit(edited)).toEqual({ kbPoints: 100, withdrawn: false })
    const copy = lessonOf(author, { videoId: 'new_video__' })
    expect(await publish(copy)).toMatchObject({ rewardReason: 'sameVideo' })
  })

  it('stays with a corrected article that others have copied, and goes from a copy by an edit', async () => {
    const first = lessonOf(await createAuthor())
    await publish(first)
    const later = new Date(AT.getTime() + 1000)
    const other = lessonOf(await createAuthor(), { at: later })
    await publish({ ...other, articleText: `${first.articleText} copied`, lessonId: 500_000 })
    await publish(other)
    const corrected = { ...first, articleText: `${first.articleText} again`, at: later }
    expect(await edit(corrected)).toEqual({ kbPoints: 100, withdrawn: false })
    expect(await edit({ ...other, articleText: first.articleText })).toEqual({
      kbPoints: 0,
      withdrawn: true,
    })
  })

  it('counts articles of one repeated word or none', async () => {
    const author = await createAuthor()
    await publish(lessonOf(author, { articleText: '☀'.repeat(60) }))
    const again = lessonOf(author, { articleText: '☀'.repeat(60) })
    expect(await publish(again)).toMatchObject({ rewardReason: 'sameArticle' })
    expect(await publish(lessonOf(author, { articleText: 'a '.repeat(60) }))).toMatchObject({
      rewarded: true,
    })
  })
})
