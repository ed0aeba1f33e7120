/**
 * The numbers of the product's rules, shared by forms, API and database checks. Lengths count code points after
 * NFC, CRLF to LF and trimming; both bounds are inclusive.
 */

export interface Range {
  readonly min: number
  readonly max: number
}

export const TITLE: Range = { min: 3, max: 20 }
export const DESCRIPTION: Range = { min: 10, max: 60 }
/** The first words of a lesson, which everybody may read. */
export const OPENING: Range = { min: 0, max: 300 }
/** Length of the cleaned article as plain text with collapsed white space. */
export const ARTICLE: Range = { min: 50, max: 1000 }
/** Minimum number of letters or digits, so that symbols and spaces alone are not accepted. */
export const ARTICLE_LETTERS = 20
/** Bytes of an article's HTML. */
export const ARTICLE_HTML_BYTES = 20_000
export const TAGS: Range = { min: 1, max: 10 }
export const TAG_LENGTH = 30
export const COMMENT: Range = { min: 10, max: 200 }
/** Whole stars. */
export const STARS: Range = { min: 1, max: 5 }
/** Optional text of a rating. */
export const RATING_TEXT: Range = { min: 20, max: 500 }
/** The author's answer to a rating. */
export const RATING_ANSWER: Range = { min: 1, max: 500 }
/** The average is shown from this number of ratings. */
export const RATINGS_SHOWN_FROM = 3
/** Ratings and answers that one person may write, change or delete per minute. */
export const RATINGS_A_MINUTE = 20
/** Minutes in which a comment can be edited. */
export const COMMENT_EDIT_MINUTES = 15
export const TOPIC: Range = { min: 3, max: 20 }
export const MAIL_TEXT: Range = { min: 30, max: 1000 }
export const CHAT_MESSAGE: Range = { min: 1, max: 200 }
/** The reason in a report to the moderators. */
export const FLAG_TEXT: Range = { min: 3, max: 500 }
export const REASON: Range = { min: 3, max: 200 }
export const APPEAL_TEXT: Range = { min: 3, max: 1000 }
/** Points that an administrator may add or take away at once. */
export const MOST_CORRECTED = 100_000
/** Matches of the desk's list of people that are counted and shown. */
export const MOST_PEOPLE = 500
/** A text about oneself on the public page. */
export const ABOUT: Range = { min: 0, max: 300 }
/** At registration. */
export const USERNAME: Range = { min: 2, max: 20 }
/** On profile edit. An unchanged name is always accepted. */
export const USERNAME_EDIT: Range = { min: 3, max: 29 }
/** The minimum counts characters at registration, the maximum counts bytes. */
export const PASSWORD: Range = { min: 8, max: 200 }
export const EMAIL_LENGTH = 254
export const PASSKEY_NAME: Range = { min: 1, max: 50 }
/** Per person. */
export const MOST_PASSKEYS = 20
export const SEARCH_LENGTH = 100
export const RESOURCE_LINK_LENGTH = 2000
/** An embed code is longer than a link, because it contains the video's title. */
export const VIDEO_LINK_LENGTH = 2000
export const WEBHOOK_URL_LENGTH = 2000
/** The description of a webhook. */
export const WEBHOOK_TEXT: Range = { min: 3, max: 200 }
export const MOST_WEBHOOKS = 20

export const VIDEO_ID_LENGTH = 11
export const PICTURE_EXTENSIONS = ['jpg', 'jpeg', 'png'] as const
export const PICTURE_BYTES = 8 * 1024 * 1024
export const PICTURE_PIXELS = 40_000_000
/** All stored versions of one person's pictures. */
export const PICTURE_QUOTA_BYTES = 200 * 1024 * 1024
export const RESOURCE_BYTES = 50 * 1024 * 1024
export const UPLOAD_QUOTA_BYTES = 1024 * 1024 * 1024
/** A copy up to this size is generated while it is downloaded; a job makes a larger one. */
export const DIRECT_EXPORT_BYTES = 20 * 1024 * 1024
/** All stored copies together. */
export const EXPORTS_BYTES = 20 * 1024 ** 3
/** Days for which a copy can be downloaded. */
export const EXPORT_DAYS = 7
/** Days for which a former username stays its person's and its links lead to them. */
export const FORMER_NAME_DAYS = 180
/** Days after its last renewal on which a session ends. */
export const SESSION_DAYS = 30
/** Days for which a device stays known. Browsers keep no cookie longer. */
export const KNOWN_DEVICE_DAYS = 400
/** Days for which a mail is sent again after failures. */
export const MAIL_RETRY_DAYS = 3
/** Days after which records of mails are deleted. */
export const MAIL_RECORD_DAYS = 90
/** Days in which a moderator can undo a deletion at the desk. */
export const UNDO_DAYS = 30
/** Days in which a person can appeal against a decision. */
export const APPEAL_DAYS = 180
/** Days for which texts that moderators deleted are stored, so that an appeal can restore them. */
export const MODERATED_DAYS = APPEAL_DAYS + UNDO_DAYS
/** Days after which events of webhooks are deleted with their deliveries. */
export const WEBHOOK_EVENT_DAYS = 30
/** Hours for which a replaced secret of a webhook still signs. */
export const OLD_SECRET_HOURS = 24
export const JSON_BODY_BYTES = 64 * 1024
/** A whole form: its picture and its other fields. */
export const FORM_BYTES = PICTURE_BYTES + 1024 * 1024
/** Bytes of all request bodies in progress in one process. */
export const BODIES_BYTES = 64 * 1024 * 1024
/**
 * Limit for a whole body and for the gap between two chunks. An upload of RESOURCE_BYTES has its own total limit.
 */
export const BODY_SECONDS = 60
export const BODY_GAP_SECONDS = 10
export const UPLOAD_SECONDS = 15 * 60
/** Slower bodies and answers are aborted. The average is measured from 30 s (answers) or 60 s (bodies) on. */
export const LEAST_BYTES_A_SECOND = 4 * 1024
/** API calls of one network per minute, at all nodes together. A person clicking fast stays far below. */
export const API_CALLS_A_MINUTE = 1200
/** Connections of one network to a process without a proxy. */
export const CONNECTIONS_OF_NETWORK = 1000

/** A number at once of one asker (a person, a network, or an item) and in all. A missing one is unlimited. */
export interface AtOnce {
  readonly each?: number
  readonly all?: number
}
/** How many may wait, and for how long. */
export interface Room extends AtOnce {
  readonly longestMs?: number
}
/** Without `waiting`, nothing waits. */
export interface QueueLimits {
  readonly atOnce: AtOnce
  readonly waiting?: Room
}
/** Requests of one network. */
export const REQUESTS_AT_ONCE: QueueLimits = { atOnce: { each: 1000 } }
/** Forms of one network. */
export const FORMS_AT_ONCE: QueueLimits = { atOnce: { each: 4 } }
/** Calls of one person. An upload may occupy its slot for minutes, so they wait without a limit. */
export const CALLS_AT_ONCE: QueueLimits = { atOnce: { each: 6 }, waiting: { each: 300 } }
/** Each waiting task is an open request of a few kilobytes. */
const WAITING: Room = { each: 400, all: 600, longestMs: 5000 }
/** Few of each kind, because a process has eight database connections and one thread. */
export const SEARCHES_AT_ONCE: QueueLimits = { atOnce: { all: 3 }, waiting: WAITING }
export const RENDERS_AT_ONCE: QueueLimits = { atOnce: { all: 3 }, waiting: WAITING }
/** New link previews. Of the pictures that wait to be decoded, at most one is a preview. */
export const PREVIEWS_AT_ONCE: QueueLimits = { atOnce: { all: 1 }, waiting: WAITING }
/** Pictures that are decoded. */
export const PICTURES_AT_ONCE: QueueLimits = { atOnce: { all: 1 }, waiting: { all: 15 } }
/** Passwords that are hashed. */
export const PASSWORDS_AT_ONCE: QueueLimits = { atOnce: { all: 2 }, waiting: { all: 300 } }
/**
 * Purchases of one person; likes, comments or ratings of one item. They wait here instead of for a lock, where each
 * would hold a database connection. Calls per person have a limit of their own.
 */
export const CHANGES_AT_ONCE: QueueLimits = {
  atOnce: { each: 1 },
  waiting: { each: 1000, longestMs: 20_000 },
}
/** Letters and reports of one person or network. */
export const LETTERS_AT_ONCE: QueueLimits = {
  atOnce: { each: 1 },
  waiting: { each: 100, longestMs: 20_000 },
}
/** Hub calls: fewer at once than the database has connections, and one call waits for each connection of a person. */
export const HUB_CALLS_AT_ONCE: QueueLimits = {
  atOnce: { all: 8 },
  waiting: { each: 50, all: 1000, longestMs: 10_000 },
}
/** Copies of an account that are generated while they are downloaded. */
export const EXPORTS_AT_ONCE: QueueLimits = { atOnce: { each: 1, all: 8 } }
/** Whole lists that are longer than EXACT_TOTAL. */
export const LONG_LISTS_AT_ONCE: QueueLimits = { atOnce: { each: 2, all: 8 } }

/** In KB Points. */
export const LESSON_PRICE = 100
export const COURSE_PRICE = 500
export const LESSON_REWARD = 100
export const COURSE_REWARD = 500
/** The most that the purchases of one item earn its author in total. A database check has the same value. */
export const MOST_AUTHOR_SHARE = 1000
export const COURSE_LESSONS: Range = { min: 6, max: 100 }
/** The newest courses shown on a lesson's page. */
export const LESSON_COURSES = 3
/** The page of an item counts the owner's other items up to here. */
export const OWNER_ITEMS_COUNTED = 1000
/** A locked page counts unlocks up to here. */
export const UNLOCKS_COUNTED = 1000

export const PAGE_SIZE = 10
/** The lessons of a tag are counted, and searched for courses that contain them, up to here. */
export const OF_TAG_COUNTED = 1000
/** For everything except lessons and courses. */
export const ROWS_PER_PAGE = 50
/** The newest items in an Atom feed. */
export const FEED_ITEMS = 50
export const LAST_PAGE = 1000
/** Totals are exact up to here, then shown as "10,000+". */
export const EXACT_TOTAL = 10_000
export const CAROUSEL_ITEMS = 8

/** Bands of likes, views and comments. Band 0 filters nothing; a null maximum is unbounded. */
export const BANDS = {
  1: { min: 1, max: 99 },
  2: { min: 100, max: 999 },
  3: { min: 1000, max: null },
} as const
export type Band = 0 | 1 | 2 | 3

/** Words per minute, for the reading time of an article. */
export const READING_SPEED = 200
/** In ms. */
export const TOAST_MS = 2500
/** Share of equal word 3-grams from which two articles count as the same. */
export const SAME_ARTICLE = 0.8
/** Likeness above which only the first of an author's lessons of one day is rewarded. */
export const SAME_SERIES = 0.6
/** A video is rewarded to this many authors. */
export const VIDEO_AUTHORS = 3
/** For this long, new lessons are compared with the articles of deleted and edited ones. */
export const COMPARED_DAYS = 90
/** Reward checks per person and minute. The form asks when the typing pauses. */
export const REWARD_CHECKS_A_MINUTE = 40
/** Hours in which a purchase can be returned, and returns per person and UTC calendar month. */
export const RETURN_HOURS = 24
export const RETURNS_A_MONTH = 3
/** Days in which a lesson can be returned if its video is gone. */
export const VIDEO_GONE_RETURN_DAYS = 90
/** Attempts to return something, per person and minute. */
export const RETURNS_A_MINUTE = 10
/** Requests per minute for what a video says of itself, for one person and for all. */
export const VIDEO_OFFERS_A_MINUTE = { person: 20, all: 120 } as const
/** Rendered pages per minute for one person, or for the guests of one network. Cached pages don't count. */
export const PAGES_A_MINUTE = 600
/** Link preview pictures per network and minute. */
export const PREVIEWS_A_MINUTE = 120
/** Messages per person and minute. */
export const MESSAGES_A_MINUTE = 30
/** A person's limit is lower than that of a network, which may be a whole school. */
interface Shares {
  readonly person: number
  readonly network: number
}
/** Hub connections per node. */
export const HUB_CONNECTIONS: Shares = { person: 50, network: 200 }
/** Negotiations of new hub connections. */
export const NEGOTIATIONS_A_MINUTE: Shares = { person: 120, network: 600 }
/** Calls of hub methods. */
export const HUB_CALLS_A_MINUTE: Shares = { person: 600, network: 3000 }
/** Polls, POSTs and new sockets of hub connections per network. */
export const HUB_REQUESTS_A_MINUTE = 3000
/** Messages of a conversation in one answer. */
export const HISTORY_PAGE = 50
export const CATCH_UP = 200
export const TOKEN_NAME: Range = { min: 1, max: 60 }
export const TOKEN_DAYS: Range = { min: 1, max: 366 }
/** Access tokens per person, including expired ones that are still listed. */
export const TOKENS = 50
/** Progress reports per person and minute. A player sends four. */
export const REPORTS_A_MINUTE = 120
export const NOTE: Range = { min: 1, max: 1000 }
/** Notes per person and lesson. */
export const NOTES_A_LESSON = 500
export const NOTES_A_MINUTE = 60
/** A person's name on a certificate. */
export const CERTIFICATE_NAME: Range = { min: 2, max: 60 }
/** How often a person may take the certificate of a course after withdrawing it. */
export const CERTIFICATES_A_COURSE = 5
export const CERTIFICATES_A_MINUTE = 20
/** Credentials, status lists and keys per network and minute. */
export const CREDENTIALS_A_MINUTE = 240
/** Longer than any video. A later position is reduced to this value. */
export const VIDEO_SECONDS = 24 * 60 * 60
/** Older progress reports are ignored. */
export const PROGRESS_AGE_MS = 366 * 24 * 60 * 60 * 1000
/** People that one person may follow. */
export const MOST_FOLLOWED = 500
export const FOLLOWS_A_MINUTE = 60
/** Questions per self-check. */
export const MOST_QUESTIONS = 5
/** Answers per question. */
export const CHECK_ANSWERS: Range = { min: 2, max: 6 }
export const QUESTION: Range = { min: 3, max: 200 }
export const CHECK_ANSWER: Range = { min: 1, max: 100 }
/** Explains the correct answers. */
export const EXPLANATION: Range = { min: 3, max: 300 }
/** Self-check attempts per person and minute. */
export const ATTEMPTS_A_MINUTE = 20
/** Calls of one network by which a sign-in provider ends sessions: one for each session. */
export const PROVIDER_LOGOUTS_A_MINUTE = 1200
/** Calls of one network that report violations of the content policy. */
export const POLICY_REPORTS_A_MINUTE = 20
/** Changes of the site's settings per minute, by one administrator and by all. */
export const SETTINGS_WRITES_A_MINUTE = { person: 30, all: 60 } as const
/** People who may come by one invitation, and days until it ends. */
export const INVITATION_USES: Range = { min: 1, max: 1000 }
export const INVITATION_DAYS: Range = { min: 1, max: 365 }
/** Days of an invitation by somebody who is no administrator; it is for one person. */
export const OWN_INVITATION_DAYS = 7
export const INVITATIONS_A_MINUTE = { person: 10, all: 120 } as const
