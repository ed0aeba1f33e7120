/** The acts of a history, and how each finds its target. */
import type { Viewer } from '#server/kernel/call.ts'
import { unauthorized } from '#server/kernel/errors.ts'
import type { Sellers } from '#server/testing/learning/sellers.ts'
import type { Node } from './node.ts'

export type Verb =
  | 'buyLesson'
  | 'buyCourse'
  | 'returnLesson'
  | 'returnCourse'
  | 'trust'
  | 'repay'
  | 'publish'
  | 'dropLesson'
  | 'dropCourse'
  | 'judgeCopy'
  | 'changeSettings'
  | 'erase'
  | 'like'
  | 'comment'
  | 'dropComment'
  | 'rate'
  | 'unrate'
  | 'follow'
  | 'unfollow'
  | 'removeComments'
  | 'restoreComments'
  | 'suspend'
  | 'unsuspend'
  | 'makeAdministrator'
  | 'unmakeAdministrator'
  | 'view'
  | 'dispatch'
  | 'work'
  | 'freeJobs'

export interface Act {
  readonly verb: Verb
  /** A person and an item, by their place in the world. */
  readonly who: number
  readonly which: number
  /** The node that is asked first. */
  readonly node: number
  /** It is sent to both nodes, as by a double click. */
  readonly twice: boolean
  /** It begins when everything before it has ended, and ends before anything else begins. */
  readonly isAlone?: boolean
}

export const ROLE_VERBS: ReadonlySet<Verb> = new Set(['makeAdministrator', 'unmakeAdministrator'])
/** Acts after which a session tells something else about a person. */
export const CHANGING_STANDING: ReadonlySet<Verb> = new Set(['suspend', 'erase', ...ROLE_VERBS])

/** The people and things of a history so far. */
export interface World extends Sellers {
  /** Also those that were published meanwhile. */
  readonly lessons: number[]
  /** Reports of copies, in the order of the lessons that were there first. */
  readonly claims: readonly number[]
  /** By the lesson. */
  readonly publishers: Map<number, Viewer>
  readonly comments: Comment[]
  readonly bought: (Pick<Target, 'viewer' | 'lesson' | 'course'> & { readonly verb: Verb })[]
  readonly admin: Viewer
  /** People may be suspended or erased or change their role, so each request asks for it as a session does. */
  readonly asksStanding: boolean
}

interface Comment {
  readonly id: number
  readonly writer: Viewer
}

/** The people and things that an act concerns. They stay the same when the act is tried again. */
export interface Target {
  readonly viewer: Viewer
  /** The owner of the lesson. */
  readonly owner: Viewer
  /** The owner of the course. */
  readonly seller: Viewer
  readonly author: Viewer
  /** Whom administrators suspend or make one of them. */
  readonly subject: Viewer
  readonly lesson: number
  readonly course: number
  readonly comment: Comment | undefined
}

/** The last place is that of the newest lesson. */
const NEWEST = 3

export function findTarget(world: World, { verb, who, which }: Act): Target {
  const { people, courses: sets, lessons: ids } = world
  const seller = at(people, which % sets.length)
  const course = at(sets, which)
  const lesson = which === NEWEST ? at(ids, ids.length - 1) : at(ids, which)
  const owner = world.publishers.get(lesson) ?? seller
  const someone = at(people, who)
  // Nobody buys their own things.
  const viewer = BUYING.has(verb) && someone === owner ? at(people, who + 1) : someone
  const comment = world.comments[which % Math.max(world.comments.length, 1)]
  const author = at(people, which)
  const subject = at(people, who === 0 ? which + 1 : which)
  const target = { viewer, owner, seller, author, subject, lesson, course, comment }
  const bought = world.bought.filter((one) => AFTER_BUYING[verb]?.includes(one.verb))
  return { ...target, ...bought[who % Math.max(bought.length, 1)] }
}

const BUYING: ReadonlySet<Verb> = new Set(['buyLesson', 'buyCourse', 'trust', 'like'])
/** Acts on things that were bought, with the purchases that they follow. */
const AFTER_BUYING: Partial<Record<Verb, readonly Verb[]>> = {
  returnLesson: ['buyLesson'],
  returnCourse: ['buyCourse'],
  comment: ['buyLesson', 'buyCourse'],
  rate: ['buyLesson', 'buyCourse'],
  unrate: ['buyLesson', 'buyCourse'],
}

function at<Item>(list: readonly Item[], place: number): Item {
  const found = list[place % list.length]
  if (found === undefined) throw new Error('empty')
  return found
}

/** @throws Refusal 401 for people who have erased their account */
export async function withStanding({ core: { db } }: Node, viewer: Viewer): Promise<Viewer> {
  const row = await db
    .selectFrom('users')
    .select(['suspended_at', 'erased_at', 'role'])
    .where('id', '=', viewer.id)
    .executeTakeFirstOrThrow()
  if (row.erased_at !== null) throw unauthorized()
  return { ...viewer, suspended: row.suspended_at !== null, role: row.role as Viewer['role'] }
}
