/**
 * The two looks of a lesson's page. They stand apart from its component: a module that exports anything else besides
 * components can't be replaced in an open page while one develops.
 */
import type { Lesson } from '#contract/lessons.schemas.ts'
import { type LoadableView, pageView } from '#web/core/router/page-view.ts'
import { ask } from '#web/items/asking/ask-part.ts'
import { ownActs, ownOffer } from '#web/items/details/own-parts.ts'
import { responses } from '#web/items/details/responses.ts'
import { selfCheck } from '#web/checks/check-part.ts'
import { followAuthor } from '#web/follows/follow-part.ts'
import { like } from '#web/likes/like-part.ts'
import { doneStep, lessonsBeside } from '#web/lessons/details/lesson-parts.ts'
import { ownNotes } from '#web/notes/notes-part.ts'
import { ratingsPart } from '#web/ratings/ratings-part.ts'
import { isOpen } from '#web/lessons/open-lesson.ts'

// Guests meet the offer nearly always: player, article and comments come with what has been unlocked.
export const locked = pageView(
  'lessons/details/LockedPage',
  async () => {
    const { LockedPage } = await import('#web/lessons/details/LockedPage.tsx')
    return LockedPage
  },
  [like, followAuthor, ownActs, ownOffer, lessonsBeside, ask, ratingsPart],
)
export const open = pageView(
  'lessons/details/OpenPage',
  async () => {
    const { OpenPage } = await import('#web/lessons/details/OpenPage.tsx')
    return OpenPage
  },
  [
    like,
    followAuthor,
    ownActs,
    ownOffer,
    doneStep,
    lessonsBeside,
    responses,
    ask,
    ownNotes,
    selfCheck,
  ],
)

/** The view that the data ask for: the open one for who may read it, else the offer. */
export const viewOf = ({ lesson }: { readonly lesson: Lesson }): LoadableView =>
  isOpen(lesson) ? open : locked
