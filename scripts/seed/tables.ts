/** Generates the rows of all tables for `COPY`, with tab-separated fields. */
import { foldTerm } from '#contract/fold.ts'
import { COURSE_LESSONS, COURSE_PRICE, LESSON_PRICE } from '#contract/limits.ts'
import { foldCase, skeleton } from '#server/kernel/text/fold.ts'
import { momentOf, type Content } from '#scripts/seed/content.ts'
import { itemTables } from '#scripts/seed/items.ts'
import { idOf, line, nameOf, titleOf, type Begin, type SeedTable } from '#scripts/seed/row.ts'

const NULL = String.raw`\N`

/**
 * Returns the tables in an order that satisfies foreign keys. Counts on cards are computed before the first row is
 * written; all people share `passwordHash`.
 */
export function seedTables(content: Content, begin: Begin, passwordHash: string): SeedTable[] {
  return [
    ...peopleTables(content, begin, passwordHash),
    ...itemTables(content, begin),
    ...tradeTables(content, begin),
    ...talkTables(content, begin),
  ]
}

function peopleTables(content: Content, begin: Begin, passwordHash: string): SeedTable[] {
  const { users } = content.sizes
  return [
    {
      name: 'users',
      columns: [
        'id',
        'username',
        'username_skeleton',
        'username_folded',
        'name_folded',
        'email',
        'email_folded',
        'email_confirmed_at',
        'password_hash',
        'notices',
        'created_at',
      ],
      count: users,
      rowOf: (n) => {
        const name = nameOf(begin.person + n)
        const email = `${name}@people.example`
        return line(
          idOf([content, begin], n),
          name,
          skeleton(name),
          foldCase(name),
          foldTerm(name),
          email,
          email,
          momentOf(0, 1),
          passwordHash,
          'f',
          momentOf(0, 1),
        )
      },
    },
  ]
}

function tradeTables(content: Content, begin: Begin): SeedTable[] {
  const { sizes, purchase, like, coursePurchase, coursePurchases, tries, welcome } = content
  const of = [content, begin] as const
  const sold = tries(sizes.purchases)
  const lines = sizes.users + sold + coursePurchases
  const nets = new Float64Array(sizes.users)
  let entry = begin.entry
  const entryOf = (
    person: number,
    amount: number,
    rest: readonly (string | number)[],
    n: number,
  ) => {
    const net = (nets[person] ?? 0) + amount
    nets[person] = net
    return line(entry++, idOf(of, person), amount, ...rest, net, momentOf(n, lines))
  }
  /** The initial gifts come first, then the sales in order. */
  const entryLine = (n: number) => {
    if (n < sizes.users) return entryOf(n, welcome, ['welcome', NULL, NULL, NULL], n)
    const lesson = n - sizes.users
    if (lesson < sold) {
      const found = purchase(lesson)
      if (found === null) return ''
      const title = titleOf(sizes.seed, 'lesson', found.lesson)
      const item = ['bought', 'lesson', begin.lesson + found.lesson, title]
      return entryOf(found.person, -LESSON_PRICE, item, n)
    }
    const found = coursePurchase(lesson - sold)
    if (found === null) return ''
    const title = titleOf(sizes.seed, 'course', found.course)
    const item = ['bought', 'course', begin.course + found.course, title]
    return entryOf(found.person, -COURSE_PRICE, item, n)
  }
  return [
    {
      name: 'lesson_purchases',
      columns: ['user_id', 'lesson_id', 'price', 'created_at'],
      count: sold,
      rowOf: (n) => {
        const found = purchase(n)
        if (found === null) return ''
        const at = momentOf(sizes.users + n, lines)
        return line(idOf(of, found.person), begin.lesson + found.lesson, LESSON_PRICE, at)
      },
    },
    {
      name: 'course_purchases',
      columns: ['id', 'user_id', 'course_id', 'price', 'lessons', 'created_at'],
      count: coursePurchases,
      rowOf: (n) => {
        const found = coursePurchase(n)
        if (found === null) return ''
        return line(
          begin.coursePurchase + n,
          idOf(of, found.person),
          begin.course + found.course,
          COURSE_PRICE,
          COURSE_LESSONS.min,
          momentOf(sizes.users + sold + n, lines),
        )
      },
    },
    {
      name: 'point_entries',
      columns: [
        'id',
        'user_id',
        'amount',
        'reason',
        'item_kind',
        'item_id',
        'item_title',
        'net_after',
        'created_at',
      ],
      count: lines,
      rowOf: entryLine,
    },
    {
      name: 'point_balances',
      columns: ['user_id', 'net'],
      count: sizes.users,
      rowOf: (n) => line(idOf(of, n), nets[n] ?? 0),
    },
    {
      name: 'lesson_likes',
      columns: ['user_id', 'lesson_id', 'created_at'],
      count: tries(sizes.likes),
      rowOf: (n) => {
        const found = like(n)
        if (found === null) return ''
        const at = momentOf(n, tries(sizes.likes))
        return line(idOf(of, found.person), begin.lesson + found.lesson, at)
      },
    },
  ]
}

function talkTables(content: Content, begin: Begin): SeedTable[] {
  const { sizes, comment, pair, pairs, message, lastOf } = content
  const of = [content, begin] as const
  const says = (n: number) => `What somebody had to say about it, number ${n}`
  return [
    {
      name: 'comments',
      columns: [
        'id',
        'lesson_id',
        'user_id',
        'text',
        'text_folded',
        'created_at',
        'prediction',
        'confidence',
        'language',
        'judged_at',
      ],
      count: sizes.comments,
      rowOf: (n) => {
        const { person, lesson } = comment(n)
        const at = momentOf(n, sizes.comments)
        return line(
          begin.comment + n,
          begin.lesson + lesson,
          idOf(of, person),
          says(n),
          foldTerm(says(n)),
          at,
          'NEUTRAL',
          0.5,
          'en',
          at,
        )
      },
    },
    {
      name: 'messages',
      columns: [
        'id',
        'sender_id',
        'receiver_id',
        'text',
        'created_at',
        'delivered_at',
        'claimed_at',
      ],
      count: sizes.messages,
      rowOf: (n) => {
        const { sender, receiver } = message(n)
        const at = momentOf(n, sizes.messages)
        return line(
          begin.message + n,
          idOf(of, sender),
          idOf(of, receiver),
          `Good morning, number ${n}`,
          at,
          at,
          at,
        )
      },
    },
    {
      name: 'conversations',
      columns: ['user_id', 'other_id', 'last_message_id', 'unread'],
      count: pairs,
      rowOf: (n) => {
        const last = lastOf(n)
        const { receiver } = message(last.message)
        const { lower, upper } = pair(n)
        const side = (me: number, other: number) =>
          line(
            idOf(of, me),
            idOf(of, other),
            begin.message + last.message,
            last.isUnread && receiver === me ? 1 : 0,
          )
        return side(lower, upper) + side(upper, lower)
      },
    },
  ]
}
