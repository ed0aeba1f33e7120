import type { Bug } from './bugs.ts'

const LEDGER = 'server/people/points/ledger.ts'
const BUYING = 'server/items/purchases/purchases.ts'
const STORE = 'server/items/purchases/store.ts'
const COURSES = 'server/items/purchases/course-store.ts'
const SHARES = 'server/items/purchases/author-shares.ts'
const REFUNDS = 'server/items/purchases/refunds.ts'
const REMOVAL = 'server/operate/removal/removal.ts'
const DUE = 'server/operate/removal/shares.ts'

/** In purchases, shares and refunds. */
export const BUGS_IN_SALES: readonly Bug[] = [
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
    name: 'taking a decision back does not return the reward',
    file: 'server/items/flags/claims.ts',
    find: `if (outcome !== 'fine' && closedAt !== null)`,
    replace: `if (outcome === 'fine' && closedAt !== null)`,
  },
]
