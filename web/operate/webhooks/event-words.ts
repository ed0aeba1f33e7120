import type { MessageKey } from '#contract/messages/messages.ts'
import type { WebhookEvent } from '#contract/webhooks.ts'

export const EVENT_WORDS: Readonly<Record<WebhookEvent, MessageKey>> = {
  'lesson.published': 'webhookLessonPublished',
  'lesson.sold': 'webhookLessonSold',
  'lesson.returned': 'webhookLessonReturned',
  'course.published': 'webhookCoursePublished',
  'course.sold': 'webhookCourseSold',
  'course.returned': 'webhookCourseReturned',
  'comment.created': 'webhookCommentCreated',
  'rating.created': 'webhookRatingCreated',
  'report.created': 'webhookReportCreated',
  'user.registered': 'webhookUserRegistered',
  'user.suspended': 'webhookUserSuspended',
}
