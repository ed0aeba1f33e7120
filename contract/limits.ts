/**
 * Every number of the product's rules, named once. Forms, API, database checks and messages read them here.
 * Lengths count code points after NFC, CRLF to LF and trimming; limits are inclusive on both sides.
 */

export interface Range {
  readonly min: number
  readonly max: number
}

export const TITLE: Range = { min: 3, max: 20 }
export const DESCRIPTION: Range = { min: 10, max: 60 }
/** The first words of a lesson, which everybody may read. */
export const OPENING: Range = { min: 0, max: 300 }
/** Plain text of the cleaned article, white space collapsed. */
export const ARTICLE: Range = { min: 50, max: 1000 }
/** Letters or digits of any script that an article has at least: signs and blanks alone are no article. */
export const ARTICLE_LETTERS = 20
/** Bytes of an article's HTML. */
export const ARTICLE_HTML_BYTES = 20_000
export const TAGS: Range = { min: 1, max: 10 }
export const TAG_LENGTH = 30
export const COMMENT: Range = { min: 10, max: 200 }
/** What somebody gives what they unlocked: whole stars. */
export const STARS: Range = { min: 1, max: 5 }
/** What they say besides, if anything. */
export const RATING_TEXT: Range = { min: 20, max: 500 }
/** What the author says to it. */
export const RATING_ANSWER: Range = { min: 1, max: 500 }
/** From so many ratings on their average is shown. */
export const RATINGS_SHOWN_FROM = 3
/** Ratings and answers to them that one person writes, changes and removes in a minute. */
export const RATINGS_A_MINUTE = 20
/** So long a writer may change a comment. */
export const COMMENT_EDIT_MINUTES = 15
export const TOPIC: Range = { min: 3, max: 20 }
export const MAIL_TEXT: Range = { min: 30, max: 1000 }
export const CHAT_MESSAGE: Range = { min: 1, max: 200 }
/** What is wrong, in a report to the moderators. */
export const FLAG_TEXT: Range = { min: 3, max: 500 }
export const REASON: Range = { min: 3, max: 200 }
/** A username at registration. */
export const USERNAME: Range = { min: 2, max: 20 }
/** A username on profile edit; an unchanged name always passes. */
export const USERNAME_EDIT: Range = { min: 3, max: 29 }
/** Characters of a password at registration (lower bound) and bytes (upper bound). */
export const PASSWORD: Range = { min: 8, max: 200 }
export const EMAIL_LENGTH = 254
export const PASSKEY_NAME: Range = { min: 1, max: 50 }
/** Of one person. */
export const MOST_PASSKEYS = 20
export const SEARCH_LENGTH = 100
export const RESOURCE_LINK_LENGTH = 2000
/** The code for embedding is longer than a link: it has the title of the video. */
export const VIDEO_LINK_LENGTH = 2000
export const WEBHOOK_URL_LENGTH = 2000
/** What an address of another program is for. */
export const WEBHOOK_TEXT: Range = { min: 3, max: 200 }
/** Addresses of other programs. */
export const MOST_WEBHOOKS = 20

export const VIDEO_ID_LENGTH = 11
export const PICTURE_EXTENSIONS = ['jpg', 'jpeg', 'png'] as const
export const PICTURE_BYTES = 8 * 1024 * 1024
export const PICTURE_PIXELS = 40_000_000
/** Of one person's pictures, in all forms in which we store them. */
export const PICTURE_QUOTA_BYTES = 200 * 1024 * 1024
export const RESOURCE_BYTES = 50 * 1024 * 1024
export const UPLOAD_QUOTA_BYTES = 1024 * 1024 * 1024
/** A copy of a person's data up to this size is made while it is downloaded; a larger one by a job. */
export const DIRECT_EXPORT_BYTES = 20 * 1024 * 1024
/** Of all copies that jobs make, as long as they are stored. */
export const EXPORTS_BYTES = 20 * 1024 ** 3
/** How long a copy can be downloaded. */
export const EXPORT_DAYS = 7
export const JSON_BODY_BYTES = 64 * 1024
/** A whole form: its picture, and what its other fields may have. */
export const FORM_BYTES = PICTURE_BYTES + 1024 * 1024
/** Forms of one address that are under way at once. */
export const FORMS_AT_ONCE = 4
/** Bytes of all bodies under way on a process. */
export const BODIES_BYTES = 64 * 1024 * 1024
/** What a body may take in all and between two pieces; an upload of RESOURCE_BYTES has its own total. */
export const BODY_SECONDS = 60
export const BODY_GAP_SECONDS = 10
export const UPLOAD_SECONDS = 15 * 60
/** Slower bodies and answers are cut, averaged from the first half minute (answers) or minute (bodies) on. */
export const LEAST_BYTES_A_SECOND = 4 * 1024
/** Connections of one network to a process without a proxy in front, and requests of one network under way at once. */
export const CONNECTIONS_OF_NETWORK = 1000
export const REQUESTS_AT_ONCE = 1000
/** Calls of one person that run at once; the others wait in line, as many as CALLS_WAITING. */
export const CALLS_AT_ONCE = 6
export const CALLS_WAITING = 300

/** KB Points. */
export const LESSON_PRICE = 100
export const COURSE_PRICE = 500
export const LESSON_REWARD = 100
export const COURSE_REWARD = 500
/** What the purchases of one item bring its author at most, in all; a check of the database has it too. */
export const MOST_AUTHOR_SHARE = 1000
export const COURSE_LESSONS: Range = { min: 6, max: 100 }
/** Courses that a lesson's page names, the newest first. */
export const LESSON_COURSES = 3
/** As far as an owner's lessons and courses are counted on the page of one of them; above, there are more. */
export const OWNER_ITEMS_COUNTED = 1000
/** Unlocks shown on a locked page; above, it says that there are more. */
export const UNLOCKS_COUNTED = 1000

export const PAGE_SIZE = 10
/** As far as the lessons of a tag are counted, and looked through for the courses that hold them. */
export const OF_TAG_COUNTED = 1000
/** Rows a page of everything that is not a lesson or course. */
export const ROWS_PER_PAGE = 50
/** Items of an Atom feed at most, the newest. */
export const FEED_ITEMS = 50
export const LAST_PAGE = 1000
/** Totals are exact up to here, then "10,000+". */
export const EXACT_TOTAL = 10_000
export const CAROUSEL_ITEMS = 8

/** Bands of likes, views and comments; band 0 filters nothing, null is without upper bound. */
export const BANDS = {
  1: { min: 1, max: 99 },
  2: { min: 100, max: 999 },
  3: { min: 1000, max: null },
} as const
export type Band = 0 | 1 | 2 | 3

/** Words a minute, for the reading time of an article. */
export const READING_SPEED = 200
/** Milliseconds. */
export const TOAST_MS = 2500
/** Share of equal word 3-grams at which two articles count as the same. */
export const SAME_ARTICLE = 0.8
/** How often one person may ask a minute what a draft would earn; the form asks when the typing rests. */
export const REWARD_CHECKS_A_MINUTE = 40
/** How often one person, and all together, may ask a minute what a video says of itself. */
export const VIDEO_OFFERS_A_MINUTE = { person: 20, all: 120 } as const
/** Pages that are rendered for one person, or for the guests of one network, a minute; those from memory are free. */
export const PAGES_A_MINUTE = 600
/** Pictures for link previews of one network a minute. */
export const PREVIEWS_A_MINUTE = 120
/** Messages of one person a minute. */
export const MESSAGES_A_MINUTE = 30
/** A person's share is smaller than that of a network, which may be a whole school's. */
interface Shares {
  readonly person: number
  readonly network: number
}
/** Hub connections on a node. */
export const HUB_CONNECTIONS: Shares = { person: 50, network: 200 }
/** How often new hub connections may be negotiated. */
export const NEGOTIATIONS_A_MINUTE: Shares = { person: 120, network: 600 }
/** Calls of the hub's methods. */
export const HUB_CALLS_A_MINUTE: Shares = { person: 600, network: 3000 }
/** Polls, POSTs and new sockets of hub connections, of one network. */
export const HUB_REQUESTS_A_MINUTE = 3000
/** Messages of a conversation in one answer: at first and going back, and catching up. */
export const HISTORY_PAGE = 50
export const CATCH_UP = 200
/** What a person calls an access token. */
export const TOKEN_NAME: Range = { min: 1, max: 60 }
/** For how long an access token may be made. */
export const TOKEN_DAYS: Range = { min: 1, max: 366 }
/** Access tokens of a person, ended ones that still stand in the list included. */
export const TOKENS = 50
/** Reports of one person a minute on how far they are; a player sends four. */
export const REPORTS_A_MINUTE = 120
export const NOTE: Range = { min: 1, max: 1000 }
/** Of one person on one lesson. */
export const NOTES_A_LESSON = 500
export const NOTES_A_MINUTE = 60
/** A person's name on a certificate. */
export const CERTIFICATE_NAME: Range = { min: 2, max: 60 }
/** How often a person may take the certificate of one course, each time after they withdrew it. */
export const CERTIFICATES_A_COURSE = 5
export const CERTIFICATES_A_MINUTE = 20
/** Credentials, lists of them and keys that one network fetches a minute. */
export const CREDENTIALS_A_MINUTE = 240
/** Longer than any video: a place beyond it is taken for it. */
export const VIDEO_SECONDS = 24 * 60 * 60
/** A report that waited for longer is none any more. */
export const PROGRESS_AGE_MS = 366 * 24 * 60 * 60 * 1000
/** People whom one person follows. */
export const MOST_FOLLOWED = 500
export const FOLLOWS_A_MINUTE = 60
/** Questions of a lesson's self-check. */
export const MOST_QUESTIONS = 5
/** Of one question. */
export const CHECK_ANSWERS: Range = { min: 2, max: 6 }
export const QUESTION: Range = { min: 3, max: 200 }
export const CHECK_ANSWER: Range = { min: 1, max: 100 }
/** Why the right answers are right. */
export const EXPLANATION: Range = { min: 3, max: 300 }
/** How often one person may take self-checks. */
export const ATTEMPTS_A_MINUTE = 20
