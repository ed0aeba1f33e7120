import type { Question } from '#contract/questions.ts'

export interface DemoPerson {
  username: string
  email: string
  /** File in ../pictures; null: the generated avatar. */
  picture: string | null
  joinedDaysAgo: number
}

export interface DemoLesson {
  owner: string
  language: 'en' | 'bg'
  title: string
  description: string
  /** The first words, for everybody; most authors write none. */
  opening?: string
  video: string
  tags: string[]
  article: string
  resource: string | null
  /** File in ../pictures; null: the generated cover. */
  picture: string | null
  publishedDaysAgo: number
  views: number
  /** Never the owner. */
  likedBy?: string[]
  /** Usernames of the people who bought it, never the owner. */
  boughtBy: string[]
}

export interface DemoCourse {
  owner: string
  title: string
  description: string
  /** Titles of the owner's lessons, in order; at least six. */
  lessons: string[]
  /** One of them; null: none. */
  freePreview: string | null
  /** File in ../pictures; null: the generated cover. */
  picture: string | null
  /** After all of its lessons. */
  publishedDaysAgo: number
  /** Never the owner. */
  likedBy: string[]
  boughtBy: string[]
}

export interface DemoComment {
  /** Title of the lesson. */
  lesson: string
  /** Its owner, or somebody who bought it or a course of it before. */
  by: string
  /** Whose newest earlier comment on this lesson it answers; absent: it begins a thread. */
  answers?: string
  daysAgo: number
  text: string
}

/** What somebody told of a lesson that they unlocked, or of one in a course that they did. */
export interface DemoProgress {
  by: string
  /** Title. */
  lesson: string
  daysAgo: number
  /** Where the video was left, and how long it is. */
  seconds?: number
  length?: number
  done?: boolean
}

export interface DemoRating {
  /** Who unlocked it, or a course that the lesson is in; of a course, who was at one of its lessons. */
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
  /** Of the video. */
  second?: number
  text: string
}

/** The self-check of a lesson. */
export interface DemoCheck {
  /** Title. */
  lesson: string
  questions: Question[]
}

/** Attempts at it, one after the other. */
export interface DemoAttempts {
  by: string
  /** Title. */
  lesson: string
  daysAgo: number
  /** Of each attempt the places that were chosen, question by question. */
  answers: number[][][]
}

/** A certificate of a course that was finished by then. */
export interface DemoCertificate {
  by: string
  /** Title. */
  course: string
  daysAgo: number
  /** As it is printed. */
  name: string
  /** Search engines may find it. */
  listed: boolean
}

/** A report to the moderators, of a comment by its text or of a lesson by its title. */
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

/** Joins, unlocks one lesson, insults its author. */
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
  /** Null: a guest. */
  by: string | null
  email: string
  topic: string
  text: string
  daysAgo: number
  done: boolean
}
