import { BUGS_IN_SALES } from './bugs-in-sales.ts'

/** Small changes to the product that the simulation must find. Each replaces one place of one file. */
export interface Bug {
  readonly name: string
  readonly file: string
  readonly find: string
  readonly replace: string
}

const REMOVAL = 'server/operate/removal/removal.ts'
const TRUST = 'server/items/purchases/trust.ts'

export const BUGS: readonly Bug[] = [
  ...BUGS_IN_SALES,
  {
    name: 'a second like is counted',
    file: 'server/items/likes/likes.ts',
    find: `if (!(await insertLike(tx, kind, { userId, itemId, at }))) throw`,
    replace: `if (!(await insertLike(tx, kind, { userId, itemId, at })) && itemId < 0) throw`,
  },
  {
    name: 'a repeated draft makes a second comment',
    file: 'server/items/comments/store.ts',
    find: '${draftId ?? null}, ${replyTo ?? null}, ${at})',
    replace: 'null, ${replyTo ?? null}, ${at})',
  },
  {
    name: 'a comment that is deleted stays counted',
    file: 'server/items/comments/store.ts',
    find: `delta: -`,
    replace: `delta: 0 * -`,
  },
  {
    name: 'a draft that is sent twice is published twice',
    file: 'server/items/shared/drafts.ts',
    find: `if (meanwhile !== null) return`,
    replace: `if (meanwhile !== null && meanwhile.id < 0) return`,
  },
  {
    name: 'a draft is not remembered',
    file: 'server/items/shared/drafts.ts',
    find: `await insertPublished(tx, kind, key, published)`,
    replace: `void insertPublished`,
  },
  {
    name: 'a deleted lesson keeps its reward',
    file: REMOVAL,
    find: `await withdrawLessonReward(tx, { lessonId: id, title, at: deletedAt }, occurrence)`,
    replace: `void withdrawLessonReward`,
  },
  {
    name: 'a reward is taken back without an entry',
    file: 'server/people/points/rewards.ts',
    find: `const own = await withdraw(tx, entry)`,
    replace: `const own = await withdraw(tx, { ...entry, amount: 0 })`,
  },
  {
    name: 'events are passed on outside the transaction that takes them',
    file: 'server/platform/events/dispatching.ts',
    find: `news.push(...(await subscriber(tx, recorded, now)))`,
    replace: `news.push(...(await subscriber(db as never, recorded, now)))`,
  },
  {
    name: 'a second event of a notice is not counted',
    file: 'server/community/notices/settling.ts',
    find: `set count = notices.count + excluded.count`,
    replace: `set count = notices.count`,
  },
  {
    name: 'a notice that is extended is mailed again',
    file: 'server/community/notices/settling.ts',
    find: `mail === 'once' && isNews`,
    replace: `mail === 'once'`,
  },
  {
    name: 'a follower who follows again is counted again',
    file: 'server/items/follows/store.ts',
    find: `select author_id, 1 from follow\n`,
    replace: `values (\${authorId}, 1)\n`,
  },
  {
    name: 'a follower who leaves twice is counted twice',
    file: 'server/items/follows/store.ts',
    find: `from gone where c.author_id = gone.author_id`,
    replace: `where c.author_id = \${authorId}`,
  },
  {
    name: 'the stars of a changed rating are added',
    file: 'server/items/ratings/store.ts',
    find: `given.stars - coalesce(before.stars, 0) as stars`,
    replace: `given.stars as stars`,
  },
  {
    name: 'a rating that is taken back stays counted',
    file: 'server/items/ratings/store.ts',
    find: `moved as (select item_id, -1 as ratings, -stars as stars from gone)`,
    replace: `moved as (select item_id, 0 as ratings, -stars as stars from gone)`,
  },
  {
    name: 'an answer that was read before a write is cached',
    file: 'server/items/shared/caches/answer-cache.ts',
    find: `if (before === writes) entries.set`,
    replace: `if (before <= writes) entries.set`,
  },
  {
    name: 'a like does not drop cached answers',
    file: 'server/items/likes/routes.ts',
    find: `events.publish(event)`,
    replace: `void event`,
  },
  {
    name: 'events of other nodes are ignored',
    file: 'server/platform/events/events.ts',
    find: `receive: (event) => call(event, 'elsewhere'),`,
    replace: `receive: () => undefined,`,
  },
  {
    name: 'an erased person keeps their lessons',
    file: 'server/operate/removal/erased-items.ts',
    find: `for (const kind of ['course', 'lesson'] as const)`,
    replace: `for (const kind of ['course'] as const)`,
  },
  {
    name: 'trust asks what was owned before it locks the balance',
    file: TRUST,
    find: `const { kbPoints, debt } = await lockBalance(tx, userId)
    // Checked under the lock, so that of two requests, on one node or on two, one is granted.
    if (await isOpenToBuyer(tx, userId, lessonId)) throw conflict('alreadyBought')
    if (videoGone === true) throw conflict('lessonVideoGone')
    const refusal = await findTrustRefusal(tx, userId)`,
    replace: `const refusal = await findTrustRefusal(tx, userId)
    const { kbPoints, debt } = await lockBalance(tx, userId)
    if (await isOpenToBuyer(tx, userId, lessonId)) throw conflict('alreadyBought')`,
  },
  {
    name: 'the share of a trusted purchase is not stored with it',
    file: 'server/items/purchases/trusted-shares.ts',
    find: `await writeShare(tx, { userId, lessonId, share })`,
    replace: `void writeShare`,
  },
  {
    name: 'a lesson is not locked while comments are restored',
    file: 'server/items/comments/deletions.ts',
    find: `order by l.id for no key update`,
    replace: `order by l.id`,
  },
  {
    name: 'a restored comment is not counted',
    file: 'server/items/comments/desk-verbs.ts',
    find: `action === 'commentDeleted' ? -1 : 1`,
    replace: `action === 'commentDeleted' ? -1 : 0`,
  },
  {
    name: 'a second suspension is logged',
    file: 'server/people/moderation/suspension.ts',
    find: `if (person.suspended) throw`,
    replace: `if (person.suspended && id === '') throw`,
  },
  {
    name: 'administrators are not locked while a role changes',
    file: 'server/people/accounts/store.ts',
    find: `.orderBy('id')\n    .forNoKeyUpdate()`,
    replace: `.orderBy('id')`,
  },
  {
    name: 'an administrator can be suspended',
    file: 'server/people/moderation/suspension.ts',
    find: `if (person.role === 'administrator') throw`,
    replace: `if (person.role === 'administrator' && id === '') throw`,
  },
  {
    name: 'a change of settings overwrites another one',
    file: 'server/operate/settings/store.ts',
    find: `where site_settings.version = `,
    replace: `where site_settings.version > -1 - `,
  },
  {
    name: 'the balance is not locked while a lesson is rewarded',
    file: 'server/people/points/rewards.ts',
    find: `await lockBalance(tx, userId)\n  const { reason`,
    replace: `const { reason`,
  },
]
