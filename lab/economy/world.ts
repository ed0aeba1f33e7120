/** What agents can do: the product's own verbs on a real database, at the time of the simulation. */
import { sql } from 'kysely'
import { LESSON_PRICE } from '#contract/limits.ts'
import { pick, type Random } from '#contract/random.ts'
import { insertUser } from '#server/people/accounts/store.ts'
import { writeConfirmedAddress } from '#server/people/accounts/identity.ts'
import { balanceOf, welcomePerson } from '#server/people/points/ledger.ts'
import { createCourse } from '#server/items/courses/create.ts'
import { createLesson } from '#server/items/lessons/create.ts'
import { buy } from '#server/items/purchases/purchases.ts'
import { unlockOnTrust } from '#server/items/purchases/trust.ts'
import { payTrustedShares } from '#server/items/purchases/trusted-shares.ts'
import { reportProgress } from '#server/items/progress/reporting.ts'
import { rate } from '#server/items/ratings/rating.ts'
import { returnItem } from '#server/items/returns/returns.ts'
import { removeLesson } from '#server/operate/removal/removal.ts'
import { newId } from '#server/kernel/ids.ts'
import type { Db } from '#server/platform/db/connect.ts'
import type { Agent } from './agent.ts'
import { isDone, viewerOf } from './product.ts'
import type { Rules } from './rules.ts'
import { articleOf, type Source, videoOf } from './texts.ts'

/** What is on offer. */
export interface Item {
  readonly kind: 'lesson' | 'course'
  readonly id: number
  readonly author: number
  /** The free preview of a course. */
  free: boolean
  /** For those who copy it. */
  readonly source: Source
  readonly isCopy: boolean
}

/** The state between two days. */
export interface State {
  day: number
  readonly agents: Agent[]
  /** Published and not deleted, oldest first. */
  items: Item[]
  /** Ids of all lessons that were copies, deleted ones included. */
  readonly copies: number[]
}

interface Needs {
  readonly db: Db
  readonly rules: Rules
  readonly state: State
}

/** The first day of a simulation. */
const BEGIN = Date.UTC(2026, 0, 1)
const DAY_MS = 24 * 60 * 60 * 1000
/** Time in ms that an act takes, so that no two happen at the same moment. */
const ACT_MS = 100
/** Of newly published items, people see this many first. */
const FRESH = 300
/** Of all wishes, this part is about a course. */
const COURSES = 0.15
/** People see through this part of the copies and filled templates that they come across. */
const SEEN_THROUGH = 0.8

const DRAWN = async () => ({ pictureId: null })

/** Tells lessons and courses apart. */
const markOf = ({ kind, id }: Pick<Item, 'kind' | 'id'>) => (kind === 'lesson' ? id : -id)

export const dayOf = (day: number) => new Date(BEGIN + day * DAY_MS).toISOString().slice(0, 10)

export class World {
  readonly #needs: Needs
  #acts = 0
  readonly clock = {
    now: () => new Date(BEGIN + this.state.day * DAY_MS + (this.#acts += 1) * ACT_MS),
  }

  constructor(needs: Needs) {
    this.#needs = needs
  }

  /** Farmers know the rules. */
  get dailyLimit(): number {
    return this.#needs.rules.config.DAILY_REWARD_LIMIT
  }

  get state(): State {
    return this.#needs.state
  }

  beginDay(day: number): void {
    this.#acts = 0
    this.state.day = day
  }

  /** Readings of the clock on this day, about one for each act. */
  get acts(): number {
    return this.#acts
  }

  /** Registers a person with a confirmed address, without the cost of hashing a password. */
  async join(agent: Agent): Promise<void> {
    const { db, rules } = this.#needs
    const now = this.clock.now()
    const id = newId(now.getTime())
    const username = `person${agent.place}`
    const email = `${username}@people.example`
    await db.transaction().execute(async (tx) => {
      await insertUser(tx, {
        id,
        username,
        email,
        hideEmail: true,
        passwordHash: '',
        pictureId: null,
        locale: 'en',
        now,
      })
      await welcomePerson(tx, id, rules.config.WELCOME_POINTS, now)
      await writeConfirmedAddress(tx, id, email, now)
    })
    agent.id = id
  }

  /** Publishes a lesson and returns whether it was rewarded. `isCopy` if somebody else has written it. */
  async publish(agent: Agent, source: Source, isCopy = false): Promise<boolean> {
    const article = articleOf(source)
    const { db, rules } = this.#needs
    const needs = {
      db,
      clock: this.clock,
      storePicture: DRAWN,
      settings: { current: rules.config },
      rewardsCopies: rules.rewardsCopies,
    }
    const { lesson } = await createLesson(needs, viewerOf(agent), {
      title: article.slice(0, 18).trim(),
      description: article.slice(0, 50).trim(),
      opening: null,
      video: videoOf(source.key),
      image: new File([], 'picture.jpg'),
      tags: ['learning'],
      resources: '',
      article: `<p>${article}</p>`,
      checks: undefined,
      draftId: undefined,
    })
    agent.lessons.push(lesson.id)
    agent.loose.push(lesson.id)
    if (isCopy) this.state.copies.push(lesson.id)
    const author = agent.place
    this.state.items.push({ kind: 'lesson', id: lesson.id, author, free: false, source, isCopy })
    return lesson.rewarded
  }

  /** Puts the loose lessons of a person together, the first one as free preview, as the form suggests. */
  async publishCourse(agent: Agent): Promise<void> {
    const { db, rules } = this.#needs
    const [preview = 0] = agent.loose
    const { course } = await createCourse(
      { db, clock: this.clock, storePicture: DRAWN, settings: { current: rules.config } },
      viewerOf(agent),
      {
        title: `Course ${preview}`,
        description: 'What one needs to know',
        image: new File([], 'picture.jpg'),
        lessons: agent.loose,
        freePreview: preview,
        draftId: undefined,
      },
    )
    agent.loose = []
    const free = this.state.items.findLast(({ kind, id }) => kind === 'lesson' && id === preview)
    if (free !== undefined) free.free = true
    const author = agent.place
    const item = { kind: 'course', id: course.id, author, free: false, isCopy: false } as const
    this.state.items.push({ ...item, source: { key: '' } })
  }

  /** Deletes a lesson of the person's. */
  async remove(agent: Agent, lesson: number): Promise<void> {
    const { db } = this.#needs
    await removeLesson({ db, clock: this.clock }, viewerOf(agent), {
      id: lesson,
      reason: undefined,
    })
    agent.lessons = agent.lessons.filter((id) => id !== lesson)
    agent.loose = agent.loose.filter((id) => id !== lesson)
    this.state.items = this.state.items.filter(({ kind, id }) => kind !== 'lesson' || id !== lesson)
  }

  /** Unlocks an item. Returns false without enough points, or if it is unlocked already. */
  unlock(agent: Agent, item: Pick<Item, 'kind' | 'id'>): Promise<boolean> {
    const { db, rules } = this.#needs
    const needs = { db, clock: this.clock, settings: { current: rules.config } }
    return this.#getAccess(agent, item, () => buy(needs, item.kind, viewerOf(agent), item.id))
  }

  /** Unlocks a person's first lesson below zero. Returns false if the rules or the product refuse. */
  async #trust(agent: Agent, { kind, id }: Item): Promise<boolean> {
    const { db, rules } = this.#needs
    if (kind === 'course') return false
    const needs = { db, clock: this.clock, settings: { current: rules.config } }
    return this.#getAccess(agent, { kind, id }, () => unlockOnTrust(needs, viewerOf(agent), id))
  }

  /** Runs a verb that opens an item. Returns false if it is refused. */
  async #getAccess(
    agent: Agent,
    item: Pick<Item, 'kind' | 'id'>,
    verb: () => Promise<unknown>,
  ): Promise<boolean> {
    if (!(await isDone(verb))) return false
    agent.firstUnlock ??= this.state.day
    agent.unlocked.push(markOf(item))
    return true
  }

  /** Returns a lesson. Whoever read it would not unlock it again. */
  giveBack(agent: Agent, lesson: number): Promise<boolean> {
    const needs = { db: this.#needs.db, clock: this.clock }
    return isDone(() => returnItem(needs, 'lesson', viewerOf(agent), lesson))
  }

  /** A wish for something that the person has not unlocked. Returns whether it was met. */
  wish(agent: Agent, random: Random): Promise<boolean> {
    return this.fulfil(agent, this.choose(agent, random))
  }

  /** Counts a wish, and meets it if the item is free or the points suffice. */
  async fulfil(agent: Agent, item: Item | null): Promise<boolean> {
    if (item === null) return false
    agent.wishes += 1
    const isMet = item.free || (await this.#afford(agent, item))
    if (isMet) agent.met += 1
    return isMet
  }

  /** The page offers what the balance allows, so people ask for nothing else. */
  async #afford(agent: Agent, item: Item): Promise<boolean> {
    const { kbPoints } = await balanceOf(this.#needs.db, agent.id)
    if (kbPoints >= LESSON_PRICE && (await this.unlock(agent, item))) return true
    const ownedItem = agent.lessons.length > 0 || agent.firstUnlock !== null
    return !ownedItem && this.#trust(agent, item)
  }

  /** Half of the time it is something new. */
  choose(agent: Agent, random: Random): Item | null {
    const { items } = this.state
    if (items.length === 0) return null
    const wanted = random() < COURSES ? 'course' : 'lesson'
    for (let tries = 0; tries < 10; tries += 1) {
      const first = random() < 0.5 ? Math.max(0, items.length - FRESH) : 0
      const item = items[first + Math.floor(random() * (items.length - first))]
      const isNew =
        item !== undefined && item.author !== agent.place && !agent.unlocked.includes(markOf(item))
      if (!isNew || item.kind !== wanted) continue
      const isJunk = item.isCopy || item.source.template !== undefined
      if (!isJunk || random() >= SEEN_THROUGH) return item
    }
    return null
  }

  /** Opens a lesson that the person has unlocked, and gives it stars. */
  async praise(agent: Agent, lesson: number, stars: number): Promise<void> {
    const { db } = this.#needs
    const needs = { db, clock: this.clock }
    await reportProgress(needs, viewerOf(agent), { lessonId: lesson, opened: true })
    await rate(needs, viewerOf(agent), 'lesson', { id: lesson, stars })
  }

  /** The others of a kind who have joined. */
  peersOf(agent: Agent): Agent[] {
    return this.state.agents.filter(
      ({ kind, id, place }) => kind === agent.kind && id !== '' && place !== agent.place,
    )
  }

  /** Somebody else's lesson with an article of its own, or null. */
  chooseOriginal(agent: Agent, random: Random): Item | null {
    const originals = this.state.items
      .slice(-FRESH)
      .filter((item) => item.kind === 'lesson' && !item.isCopy && item.author !== agent.place)
    return originals.length === 0 ? null : pick(random, originals)
  }

  /** Does what jobs do, and deletes what nobody reads in a simulation. */
  async endDay(): Promise<void> {
    await payTrustedShares({ db: this.#needs.db, clock: this.clock })
    await sql`delete from events`.execute(this.#needs.db)
    await sql`delete from search_due`.execute(this.#needs.db)
    await sql`delete from graphile_worker._private_jobs`.execute(this.#needs.db)
  }
}
