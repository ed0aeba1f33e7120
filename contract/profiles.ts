import * as z from 'zod/mini'
import { EditedUsername, Email, Role, Session } from '#contract/accounts.ts'
import { Comment } from '#contract/comments.ts'
import { CourseCard } from '#contract/courses.ts'
import { endpoints } from '#contract/endpoint.ts'
import { ImagePath, isTicked, Page, Picture, text, UserId } from '#contract/fields.ts'
import { Search } from '#contract/items.ts'
import { LessonCard } from '#contract/lessons.ts'
import { ABOUT } from '#contract/limits.ts'
import { ProfileCard } from '#contract/profile-card.ts'

/** Only the person's own profile contains private fields. */
export const isOwnProfile = (given: Profile): given is OwnProfile => 'kbPoints' in given

const profile = {
  id: z.string(),
  _id: z.string(),
  username: z.string(),
  userName: z.string(),
  /** Absent if hidden from the viewer. */
  email: z.optional(z.string()),
  imageUrl: ImagePath,
  counts: z.object({ lessons: z.number(), courses: z.number(), comments: z.number() }),
  /** The list of followers is private. */
  followers: z.number(),
  /** Whether the viewer follows them. */
  following: z.boolean(),
  /** The newest 50 of each, or the requested page. Counts cover all of them. */
  ownLessons: z.array(LessonCard),
  ownCourses: z.array(CourseCard),
  /** Only those that the viewer may read. */
  comments: z.array(Comment),
  /** Only for administrators. */
  suspended: z.optional(z.boolean()),
}
const Ids = z.array(z.number())
/** Only the person themselves gets these fields. */
const own = {
  kbPoints: z.number(),
  debt: z.number(),
  role: Role,
  hideEmail: z.boolean(),
  emailConfirmed: z.boolean(),
  /** Receives mails until a changed address is confirmed. */
  previousEmail: z.optional(z.string()),
  /** True if the person accepts optional mails. */
  notices: z.boolean(),
  /** On the public page. Empty if there is none. */
  about: z.string(),
  /** Whether guests may see the public page. */
  publicPage: z.boolean(),
  likedLessons: Ids,
  likedCourses: Ids,
  boughtLessons: Ids,
  boughtCourses: Ids,
}
export const OwnProfile = z.object({ ...profile, ...own })
export type OwnProfile = z.infer<typeof OwnProfile>
export const Profile = z.union([OwnProfile, z.object(profile)])
export type Profile = z.infer<typeof Profile>

/** A checkbox whose absence means no change. */
const OptionalTick = z.pipe(
  z.optional(z.union([z.boolean(), z.string()])),
  z.transform((value) => (value === undefined ? undefined : isTicked(value))),
)

export const About = text(ABOUT, 'aboutLength')

export const ProfileEdit = z.object({
  username: z.optional(EditedUsername),
  email: z.optional(Email),
  image: z.optional(Picture),
  hideEmail: OptionalTick,
  /** Whether to receive optional mails. */
  notices: OptionalTick,
  about: z.optional(About),
  publicPage: OptionalTick,
  /** Checked if present. Our own form sends it when the address changes. */
  password: z.optional(z.string().check(z.maxLength(1000, { error: 'passwordWrong' }))),
})
export type ProfileEdit = z.output<typeof ProfileEdit>

/** A person's public page. It has no e-mail, purchases, likes or comments. */
export const PublicPage = z.object({
  id: z.string(),
  userName: z.string(),
  imageUrl: ImagePath,
  /** Empty if there is none. */
  about: z.string(),
  counts: z.object({ lessons: z.number(), courses: z.number() }),
  /** The average of all ratings of their newest 1,000 items of each kind; null while there are too few. */
  rating: z.nullable(z.number()),
  ratings: z.number(),
  followers: z.number(),
  /** Whether the viewer follows them. Absent for guests and for the person themselves. */
  following: z.optional(z.boolean()),
  /** False if only signed-in people may see the page. */
  public: z.boolean(),
  ownLessons: z.array(LessonCard),
  ownCourses: z.array(CourseCard),
})
export type PublicPage = z.infer<typeof PublicPage>

/** No name, current or former, is longer. */
const Name = z.string().check(z.maxLength(100, { error: 'invalidInput' }))

const ByUser = z.object({ id: UserId })
/** Pages of 50 for each list, starting at 1. */
const pages = {
  lessons: z.optional(Page),
  courses: z.optional(Page),
  comments: z.optional(Page),
}
const ProfileQuery = z.object({ ...ByUser.shape, ...pages })

export const PeopleQuery = z.object({ search: Search, page: z.optional(Page) })
export type PeopleQuery = z.output<typeof PeopleQuery>

export const profiles = endpoints({
  show: {
    methods: ['GET'],
    path: '/identity/profile/{id}',
    access: 'user',
    scope: 'read',
    input: ProfileQuery,
    answer: Profile,
    summary:
      'A person: counts, and the newest 50 lessons, courses and comments, or other pages of them; more of oneself',
  },
  information: {
    methods: ['GET'],
    path: '/identity/userinformation/{id}',
    access: 'anybody',
    scope: 'read',
    input: ByUser,
    answer: ProfileCard,
    summary: "A person's name and picture",
  },
  named: {
    methods: ['GET'],
    path: '/identity/named/{name}',
    access: 'user',
    scope: 'read',
    input: z.object({ name: Name }),
    answer: ProfileCard,
    summary: 'The person who has this name, in any case, or gave it up less than 180 days ago',
  },
  by: {
    methods: ['GET'],
    path: '/identity/by/{name}',
    access: 'anybody',
    scope: 'read',
    input: z.object({ name: Name, lessons: pages.lessons, courses: pages.courses }),
    answer: PublicPage,
    summary:
      "A person's public page by name, also by a former one: the newest 50 lessons and courses, or other pages of them",
  },
  all: {
    methods: ['GET'],
    path: '/identity/allProfiles',
    access: 'anybody',
    scope: 'read',
    input: PeopleQuery,
    answer: z.array(ProfileCard),
    summary:
      'People by name; without `page` the whole list, with it that page of 50 and the total in X-Total-Count',
  },
  update: {
    methods: ['POST', 'PUT', 'PATCH'],
    path: '/identity/update',
    access: 'user',
    scope: null,
    form: true,
    input: ProfileEdit,
    answer: z.object({ ...profile, ...own, session: Session }),
    summary: 'Edit the own profile; PATCH leaves absent fields',
  },
})
