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
  video: string
  tags: string[]
  article: string
  resource: string | null
  /** File in ../pictures; null: the generated cover. */
  picture: string | null
  publishedDaysAgo: number
  views: number
  /** Only people of `boughtBy`. */
  likedBy?: string[]
  /** Usernames of the people who bought it, never the owner. */
  boughtBy: string[]
}
