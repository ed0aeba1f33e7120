/** Small changes to the product that the simulation must find. Each replaces one place of one file. */
export interface Bug {
  readonly name: string
  readonly file: string
  readonly find: string
  readonly replace: string
}

const LEDGER = 'server/people/points/ledger.ts'
const BUYING = 'server/items/purchases/purchases.ts'
const STORE = 'server/items/purchases/store.ts'
const COURSES = 'server/items/purchases/course-store.ts'
const SHARES = 'server/items/purchases/author-shares.ts'
const REFUNDS = 'server/items/purchases/refunds.ts'
const REMOVAL = 'server/operate/removal/removal.ts'
const DUE = 'server/operate/removal/shares.ts'
const TRUST = 'server/items/purchases/trust.ts'

export const BUGS: readonly Bug[] = [
  {
    name: 'balances are read without a lock',
    file: LEDGER,
    find: `.orderBy('user_id')\n      .forUpdate()`,
    replace: `.orderBy('user_id')`,
  },
  {
    name: 'buyer and author are locked one after the other',
    file: BUYING,
    find: `const balances = await lockBalances(tx, due > 0 ? [userId, ownerId] : [userId])`,
    replace: `const balances = await lockBalances(tx, [userId])
    if (due > 0) await lockBalances(tx, [ownerId])`,
  },
  {
    name: 'the points of a debtor count',
    file: LEDGER,
    find: 'debt > 0 || kbPoints < entry.amount',
    replace: 'kbPoints < 0',
  },
  {
    name: 'an entry carries the balance before it',
    file: LEDGER,
    find: 'held.net + change.amount, ${at}',
    replace: 'held.net, ${at}',
  },
  {
    name: 'a purchase asks whether it is open before it locks the balance',
    file: BUYING,
    find: `const balances = await lockBalances(tx, due > 0 ? [userId, ownerId] : [userId])
    // Checked under the lock, which makes the purchases of one person run one at a time.
    if (await isOpen(tx, userId, itemId)) throw conflict('alreadyBought')`,
    replace: `if (await isOpen(tx, userId, itemId)) throw conflict('alreadyBought')
    const balances = await lockBalances(tx, due > 0 ? [userId, ownerId] : [userId])`,
  },
  {
    name: 'a purchase does not ask whether it is open already',
    file: BUYING,
    find: `if (await isOpen(tx, userId, itemId)) throw`,
    replace: `if (itemId < 0 && (await isOpen(tx, userId, itemId))) throw`,
  },
  {
    name: 'the sale is not recorded',
    file: BUYING,
    find: `await record(tx, { type: event, ...sale }, at)`,
    replace: `void [record, event, sale]`,
  },
  {
    name: 'the sale is recorded outside the transaction',
    file: BUYING,
    find: `await record(tx, { type: event, ...sale }, at)`,
    replace: `await record(db as never, { type: event, ...sale }, at)`,
  },
  {
    name: 'the author gets the share that was due, not what is left',
    file: BUYING,
    find: `amount: share,`,
    replace: `amount: due,`,
  },
  {
    name: 'a deleted lesson can be bought',
    file: STORE,
    find: ` and l.deleted_at is null\n    for share of l`,
    replace: `\n    for share of l`,
  },
  {
    name: 'a lesson is not locked while it is sold',
    file: STORE,
    find: `\n    for share of l`,
    replace: ``,
  },
  {
    name: 'a course is not locked while it is sold',
    file: COURSES,
    find: `\n    for share of k`,
    replace: ``,
  },
  {
    name: 'the share of a part is not taken from the purchase',
    file: COURSES,
    find: `, share = course_purchases.share - due.share`,
    replace: ``,
  },
  {
    name: 'the refund of a course forgets the parts already refunded',
    file: COURSES,
    find: `limit \${most}\n    ) returning user_id as "userId", price - refunded as price`,
    replace: `limit \${most}\n    ) returning user_id as "userId", price`,
  },
  {
    name: 'a share is rounded up',
    file: SHARES,
    find: `Math.floor((price * percent) / 100)`,
    replace: `Math.ceil((price * percent) / 100)`,
  },
  {
    name: 'the maximum share is read before the sale',
    file: SHARES,
    find: 'const left = sql`least(excluded.last, ${MOST_AUTHOR_SHARE} - s.paid)`',
    replace: 'const left = sql`excluded.last`',
  },
  {
    name: 'a returned share stays counted',
    file: SHARES,
    find: 'set paid = paid - ${amount}',
    replace: 'set paid = paid - 0 * ${amount}',
  },
  {
    name: 'the author keeps the share of refunded purchases',
    file: REFUNDS,
    find: `if (share.amount > 0) await takeShare`,
    replace: `if (share.amount > 1_000_000) await takeShare`,
  },
  {
    name: 'refunds lock one balance at a time',
    file: REFUNDS,
    find: `await lockBalances(tx, [...new Set([...alsoLock, ...people])])`,
    replace: `for (const one of [...alsoLock, ...people].toReversed()) await lockBalances(tx, [one])`,
  },
  {
    name: 'courses get nothing back for a deleted lesson',
    file: REMOVAL,
    find: `[refunds, ...shares], deletedAt`,
    replace: `[refunds], deletedAt`,
  },
  {
    name: 'a deleted lesson is taken out of its courses before it is locked',
    file: REMOVAL,
    find: `await lockReadableLesson(tx, id)`,
    replace: `await lockReadableLesson(db as never, id)`,
  },
  {
    name: 'what is due stays due after it was paid',
    file: DUE,
    find: `if (last === undefined || paid.length < most || last.id === due.last_purchase)`,
    replace: `if (last === undefined)`,
  },
  {
    name: 'a like counts twice',
    file: 'server/items/shared/counters.ts',
    find: `set likes = likes + 1`,
    replace: `set likes = likes + 2`,
  },
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
    name: 'a comment is counted twice',
    file: 'server/items/comments/store.ts',
    find: `await addToLessonComments(tx, [{ lessonId, delta: 1 }])`,
    replace: `await addToLessonComments(tx, [{ lessonId, delta: 2 }])`,
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
]
