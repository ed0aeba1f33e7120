/** Writes the demo content in chronological order, acting as its people. */
import { videoId } from '#contract/video.ts'
import { createComment } from '#server/items/comments/writing.ts'
import { createCourse } from '#server/items/courses/create.ts'
import type { Db } from '#server/platform/db/connect.ts'
import { takenBack } from '#server/demo/content/troubles.ts'
import type { DemoComment, DemoCourse, DemoFlag, DemoLesson } from '#server/demo/content/types.ts'
import { certify, of, progress, rateItem, takeNote } from '#server/demo/learning.ts'
import { askedAbout, takeAsTold } from '#server/demo/taking.ts'
import { asJpeg } from '#server/demo/picture-files.ts'
import { captionLessons } from '#server/demo/captioning.ts'
import { followPeople } from '#server/demo/following.ts'
import { answered, lessons, tellDemo, type DemoEvent } from '#server/demo/timeline.ts'
import {
  draftIdOf,
  findTakenBack,
  keepUndelivered,
  reportProblem,
  suspend,
  takeBack,
  write,
} from '#server/demo/troubles.ts'
import { insertFlag } from '#server/items/flags/store.ts'
import type { StorePicture } from '#server/platform/core/core.ts'
import type { Viewer } from '#server/kernel/call.ts'
import type { Clock } from '#server/kernel/clock.ts'
import { Refusal } from '#server/kernel/errors.ts'
import { createLesson } from '#server/items/lessons/create.ts'
import { setViews } from '#server/items/lessons/store.ts'
import { setPastWeek } from '#server/items/lessons/views.ts'
import { like } from '#server/items/likes/likes.ts'
import { fillFigures } from '#server/demo/viewing.ts'
import { tellPast } from '#server/demo/told.ts'
import { recountFigures } from '#server/items/figures/counting.ts'
import { recountEconomy } from '#server/operate/economy/counting.ts'
import { ALL_REWARDED, type DemoSettings } from '#server/demo/demo-settings.ts'
import { settle } from '#server/demo/settling.ts'
import { buy } from '#server/items/purchases/purchases.ts'

export interface FillNeeds {
  readonly db: Db
  readonly clock: Clock
  readonly storePicture: StorePicture
  readonly settings: DemoSettings
  readonly passwordOf: (username: string) => string
  readonly say: (line: string) => void
}

/** Becomes the administrator after everything else exists. */
const MODERATOR = 'petar-iliev'
const DAY_MS = 24 * 60 * 60 * 1000

/** What earlier events created: people by name, items by title, comments by text. */
interface World {
  readonly viewers: Map<string, Viewer>
  readonly lessons: Map<string, number>
  readonly courses: Map<string, number>
  readonly comments: Map<string, number>
}

/** Idempotent, so that an interrupted start can continue. */
export async function fillDemo(needs: FillNeeds): Promise<void> {
  const world: World = {
    viewers: new Map(),
    lessons: new Map(),
    courses: new Map(),
    comments: new Map(),
  }
  let published = 0
  for (const event of tellDemo()) {
    if (event.kind === 'publishLesson' && published++ % 10 === 0)
      needs.say(`Filling in demo content … ${published - 1} of ${lessons.length} lessons`)
    const at = new Date(needs.clock.now().getTime() - event.daysAgo * DAY_MS)
    await happen({ ...needs, clock: { now: () => at } }, world, event)
  }
  await captionLessons(needs, world.viewers, world.lessons)
  await followPeople(needs, (username) => of(world.viewers, username))
  await setPastWeek(needs.db, needs.clock.now())
  await tellPast(needs)
  await recountEconomy(needs)
  await fillFigures(needs)
  await recountFigures(needs)
}

async function happen(needs: FillNeeds, world: World, event: DemoEvent): Promise<void> {
  switch (event.kind) {
    case 'join':
      world.viewers.set(event.person.username, await settle(needs, event.person))
      return
    case 'publishLesson':
    case 'publishAgain':
      world.lessons.set(event.lesson.title, await publishLesson(needs, world, event.lesson))
      return
    case 'publishCourse':
      world.courses.set(event.course.title, await publishCourse(needs, world, event.course))
      return
    case 'comment':
      world.comments.set(event.comment.text, await comment(needs, world, event.comment))
      return
    case 'flag':
      return report(needs, world, event.flag)
    case 'takeBack':
      return takeBack(
        needs,
        of(world.viewers, event.lesson.owner),
        of(world.lessons, event.lesson.title),
      )
    case 'message': {
      const { from, to } = event.message
      return write(needs, of(world.viewers, from), of(world.viewers, to), event.message)
    }
    case 'suspend':
      return suspend(needs, of(world.viewers, MODERATOR), of(world.viewers, event.username), event)
    case 'problem':
      return reportProblem(
        needs,
        of(world.viewers, MODERATOR),
        event.problem.by === null ? null : of(world.viewers, event.problem.by),
        event.problem,
      )
    case 'undelivered':
      return keepUndelivered(needs, event.mail)
    case 'buyLesson':
      return once(buy(needs, 'lesson', of(world.viewers, event.by), of(world.lessons, event.title)))
    case 'buyCourse':
      return once(buy(needs, 'course', of(world.viewers, event.by), of(world.courses, event.title)))
    case 'likeLesson':
    case 'likeCourse': {
      const kind = event.kind === 'likeLesson' ? 'lesson' : 'course'
      const itemId = of(kind === 'lesson' ? world.lessons : world.courses, event.title)
      return once(like(needs, { userId: of(world.viewers, event.by).id, kind, itemId }))
    }
    case 'attempts': {
      const { by, lesson } = event.attempts
      return takeAsTold(needs, of(world.viewers, by), of(world.lessons, lesson), event.attempts)
    }
    case 'note':
      return takeNote(needs, of(world.viewers, event.note.by), event.note, world.lessons)
    case 'rating': {
      const { lessons: lesson, courses: course, viewers } = world
      return rateItem(needs, (name) => of(viewers, name), event.rating, { lesson, course })
    }
    case 'progress':
      return progress(needs, of(world.viewers, event.progress.by), event.progress, world.lessons)
    case 'certificate':
      return certify(
        needs,
        of(world.viewers, event.certificate.by),
        event.certificate,
        world.courses,
      )
  }
}

/** Ignores refusals of steps that were done before the start was interrupted. */
async function once(deed: Promise<unknown>): Promise<void> {
  await deed.catch((error: unknown) => {
    // 404 occurs for purchases of a lesson that was deleted since.
    if (!(error instanceof Refusal) || ![404, 409].includes(error.status)) throw error
  })
}

/** Returns a cover as from a form. Without a picture the item has its generated cover. */
async function coverOf({ storePicture }: FillNeeds, picture: string | null) {
  const parts = picture === null ? [] : [new Uint8Array(await asJpeg(picture))]
  return {
    image: new File(parts, 'picture.jpg'),
    storePicture: async (image: File, ownerId: string | null) =>
      picture === null ? { pictureId: null } : storePicture(image, ownerId),
  }
}

async function publishLesson(needs: FillNeeds, world: World, lesson: DemoLesson): Promise<number> {
  const { id: authorId } = of(world.viewers, lesson.owner)
  const taken = lesson === takenBack ? await findTakenBack(needs.db, authorId) : null
  if (taken !== null) return taken
  const { image, storePicture } = await coverOf(needs, lesson.picture)
  const { lesson: created } = await createLesson(
    { ...needs, storePicture, settings: ALL_REWARDED },
    of(world.viewers, lesson.owner),
    {
      title: lesson.title,
      description: lesson.description,
      opening: lesson.opening ?? null,
      video: lesson.video,
      image,
      tags: lesson.tags,
      resources: lesson.resource ?? '',
      article: lesson.article,
      checks: askedAbout(lesson.title),
      draftId: draftIdOf(videoId(lesson.video) ?? lesson.title),
    },
  )
  await setViews(needs.db, created.id, lesson.views)
  return created.id
}

async function publishCourse(needs: FillNeeds, world: World, course: DemoCourse): Promise<number> {
  const { image, storePicture } = await coverOf(needs, course.picture)
  const { course: created } = await createCourse(
    { ...needs, storePicture },
    of(world.viewers, course.owner),
    {
      title: course.title,
      description: course.description,
      image,
      lessons: course.lessons.map((title) => of(world.lessons, title)),
      freePreview: course.freePreview === null ? null : of(world.lessons, course.freePreview),
      draftId: draftIdOf(`course ${course.title}`),
    },
  )
  return created.id
}

async function comment(needs: FillNeeds, world: World, said: DemoComment): Promise<number> {
  const { comment: made } = await createComment(
    { ...needs, limited: false },
    of(world.viewers, said.by),
    {
      lessonId: of(world.lessons, said.lesson),
      text: said.text,
      draftId: draftIdOf(`${said.lesson} ${said.by} ${said.text}`),
      ...(said.answers === undefined ? {} : { replyTo: of(world.comments, answered(said)) }),
    },
  )
  return made.id
}

async function report(needs: FillNeeds, world: World, flag: DemoFlag): Promise<void> {
  const subject =
    'comment' in flag
      ? { kind: 'comment' as const, id: of(world.comments, flag.comment) }
      : { kind: 'lesson' as const, id: of(world.lessons, flag.lesson) }
  await insertFlag(needs.db, {
    reporterId: of(world.viewers, flag.by).id,
    kind: subject.kind,
    subjectId: String(subject.id),
    text: flag.text,
    at: needs.clock.now(),
  })
}
