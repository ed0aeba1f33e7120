import type { Question } from '#contract/questions.ts'

export interface DemoPerson {
  username: string
  email: string
  /** File in ../pictures. Null uses the generated avatar. */
  picture: string | null
  joinedDaysAgo: number
  about?: string
}

export interface DemoLesson {
  owner: string
  language: 'en' | 'bg'
  title: string
  description: string
  /** The opening, which everybody may read. Most authors write none. */
  opening?: string
  video: string
  tags: string[]
  article: string
  resource: string | null
  /** File in ../pictures. Null uses the generated cover. */
  picture: string | null
  publishedDaysAgo: number
  views: number
  /** Never includes the owner. */
  likedBy?: string[]
  /** Usernames of the buyers, never the owner. */
  boughtBy: string[]
}

export interface DemoCourse {
  owner: string
  title: string
  description: string
  /** Titles of the owner's lessons in order; at least six. */
  lessons: string[]
  /** One of these lessons, or null. */
  freePreview: string | null
  /** File in ../pictures. Null uses the generated cover. */
  picture: string | null
  /** Must be later than all of its lessons. */
  publishedDaysAgo: number
  /** Never includes the owner. */
  likedBy: string[]
  boughtBy: string[]
}

export interface DemoComment {
  /** Title of the lesson. */
  lesson: string
  /** The owner, or somebody who bought the lesson or a course with it before. */
  by: string
  /** The author of the newest earlier comment on this lesson, to which it replies. Absent starts a thread. */
  answers?: string
  daysAgo: number
  text: string
}

/** Progress in a lesson that the person unlocked, possibly as part of a course. */
export interface DemoProgress {
  by: string
  /** Title. */
  lesson: string
  daysAgo: number
  /** Position and length of the video in seconds. */
  seconds?: number
  length?: number
  done?: boolean
}

export interface DemoRating {
  /**
   * Somebody who unlocked the item, or a course with it. For a course, they must have opened one of its lessons.
   */
  by: string
  kind: 'lesson' | 'course'
  /** Title. */
  of: string
  daysAgo: number
  stars: number
  text?: string
  /** By the item's author. */
  answer?: { daysLater: number; text: string }
}

export interface DemoNote {
  by: string
  /** Title. */
  lesson: string
  daysAgo: number
  /** Position in the video. */
  second?: number
  text: string
}

export interface DemoCaptions {
  /** Title. */
  lesson: string
  lines: readonly (readonly [from: number, en: string, bg: string])[]
}

export interface DemoCheck {
  /** Title. */
  lesson: string
  questions: Question[]
}

/** Consecutive attempts at a self-check. */
export interface DemoAttempts {
  by: string
  /** Title. */
  lesson: string
  daysAgo: number
  /** For each attempt, the indices chosen for each question. */
  answers: number[][][]
}

/** A certificate of a course finished by then. */
export interface DemoCertificate {
  by: string
  /** Title. */
  course: string
  daysAgo: number
  /** As printed. */
  name: string
  /** True if search engines may index it. */
  listed: boolean
}

/** A report to the moderators about a comment (by its text) or a lesson (by its title). */
export type DemoFlag = { by: string; daysAgo: number; text: string } & (
  | { comment: string }
  | { lesson: string }
)

export interface DemoMessage {
  from: string
  to: string
  daysAgo: number
  text: string
  read: boolean
}

/** A person who joins, unlocks one lesson and insults its author. */
export interface DemoThrowAway {
  username: string
  email: string
  joinedDaysAgo: number
  /** Title. */
  lesson: string
  text: string
  daysAgo: number
  suspended: { daysAgo: number; reason: string } | null
}

export interface DemoProblem {
  /** Null means a guest. */
  by: string | null
  email: string
  topic: string
  text: string
  daysAgo: number
  done: boolean
}
