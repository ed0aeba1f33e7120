/** The spec's route table, in its order: path, who may enter, page. Guards hold on the server and in the browser. */
import type { PageAccess, PageModule } from '#web/core/router/route-page.ts'

/**
 * `name` is the page's file below web/, by which the server finds its files in the build's manifest. `page` imports its
 * data, which export the page too: so both are one file in the browser, and a changed component is replaced in place.
 */
type RouteLine = readonly [
  path: string,
  access: PageAccess,
  name: string,
  page: () => Promise<PageModule>,
]

export const routeTable: readonly RouteLine[] = [
  ['/', 'all', 'home/HomePage', () => import('#web/home/HomePage.data.ts')],
  ['/about', 'all', 'info/AboutPage', () => import('#web/info/AboutPage.data.ts')],
  ['/privacy-policy', 'all', 'info/PrivacyPage', () => import('#web/info/PrivacyPage.data.ts')],
  [
    '/lesson/all',
    'all',
    'lessons/LessonListPage',
    () => import('#web/lessons/LessonListPage.data.ts'),
  ],
  [
    '/course/all',
    'all',
    'courses/CourseListPage',
    () => import('#web/courses/CourseListPage.data.ts'),
  ],
  [
    '/lesson/details/:id',
    'all',
    'lessons/LessonDetailsPage',
    () => import('#web/lessons/LessonDetailsPage.data.ts'),
  ],
  [
    '/course/details/:id/:lessonId?',
    'all',
    'courses/CourseDetailsPage',
    () => import('#web/courses/CourseDetailsPage.data.ts'),
  ],
  ['/report', 'all', 'mail/ReportPage', () => import('#web/mail/ReportPage.data.ts')],
  ['/login', 'guest', 'accounts/LoginPage', () => import('#web/accounts/LoginPage.data.ts')],
  [
    '/register',
    'guest',
    'accounts/RegisterPage',
    () => import('#web/accounts/RegisterPage.data.ts'),
  ],
  [
    '/sign-in/continue',
    'all',
    'accounts/oidc/ContinuePage',
    () => import('#web/accounts/oidc/ContinuePage.data.ts'),
  ],
  ['/logout', 'user', 'accounts/LogoutPage', () => import('#web/accounts/LogoutPage.data.ts')],
  [
    '/profile/:id',
    'user',
    'profiles/ProfilePage',
    () => import('#web/profiles/ProfilePage.data.ts'),
  ],
  [
    '/profile/update',
    'user',
    'accounts/AccountPage',
    () => import('#web/accounts/AccountPage.data.ts'),
  ],
  [
    '/profile/sessions',
    'user',
    'accounts/devices/DevicesPage',
    () => import('#web/accounts/devices/DevicesPage.data.ts'),
  ],
  [
    '/profile/tokens',
    'user',
    'accounts/access-tokens/TokensPage',
    () => import('#web/accounts/access-tokens/TokensPage.data.ts'),
  ],
  [
    '/lesson/create',
    'user',
    'lessons/LessonCreatePage',
    () => import('#web/lessons/LessonCreatePage.data.ts'),
  ],
  [
    '/course/create',
    'user',
    'courses/CourseCreatePage',
    () => import('#web/courses/CourseCreatePage.data.ts'),
  ],
  [
    '/lesson/bought',
    'user',
    'lessons/BoughtLessonsPage',
    () => import('#web/lessons/BoughtLessonsPage.data.ts'),
  ],
  [
    '/course/bought',
    'user',
    'courses/BoughtCoursesPage',
    () => import('#web/courses/BoughtCoursesPage.data.ts'),
  ],
  [
    '/lesson/yours',
    'user',
    'lessons/YourLessonsPage',
    () => import('#web/lessons/YourLessonsPage.data.ts'),
  ],
  [
    '/course/yours',
    'user',
    'courses/YourCoursesPage',
    () => import('#web/courses/YourCoursesPage.data.ts'),
  ],
  ['/liked', 'user', 'profiles/LikedPage', () => import('#web/profiles/LikedPage.data.ts')],
  [
    '/lesson/contact/:id',
    'user',
    'mail/ContactPage',
    () => import('#web/mail/ContactPage.data.ts'),
  ],
  ['/chat', 'user', 'chat/ChatPage', () => import('#web/chat/ChatPage.data.ts')],
  ['/user-center', 'user', 'chat/UserCenterPage', () => import('#web/chat/UserCenterPage.data.ts')],
  [
    '/lesson/edit/:id',
    'owner',
    'lessons/LessonEditPage',
    () => import('#web/lessons/LessonEditPage.data.ts'),
  ],
  [
    '/course/edit/:id',
    'owner',
    'courses/CourseEditPage',
    () => import('#web/courses/CourseEditPage.data.ts'),
  ],
  [
    '/comment/all',
    'administrator',
    'moderation/CommentsPage',
    () => import('#web/moderation/CommentsPage.data.ts'),
  ],
  ['/points', 'user', 'points/PointsPage', () => import('#web/points/PointsPage.data.ts')],
  [
    '/password/forgot',
    'all',
    'accounts/ForgotPage',
    () => import('#web/accounts/ForgotPage.data.ts'),
  ],
  ['/password/reset', 'all', 'accounts/ResetPage', () => import('#web/accounts/ResetPage.data.ts')],
  [
    '/email/confirm',
    'all',
    'accounts/ConfirmPage',
    () => import('#web/accounts/ConfirmPage.data.ts'),
  ],
  ['/email/undo', 'all', 'accounts/UndoPage', () => import('#web/accounts/UndoPage.data.ts')],
  [
    '/email/unsubscribe',
    'all',
    'accounts/UnsubscribePage',
    () => import('#web/accounts/UnsubscribePage.data.ts'),
  ],
  [
    '/admin/reports',
    'administrator',
    'moderation/FlagsPage',
    () => import('#web/moderation/FlagsPage.data.ts'),
  ],
  [
    '/admin/bugs',
    'administrator',
    'moderation/BugsPage',
    () => import('#web/moderation/BugsPage.data.ts'),
  ],
  [
    '/admin/log',
    'administrator',
    'moderation/LogPage',
    () => import('#web/moderation/LogPage.data.ts'),
  ],
  [
    '/admin/mails',
    'administrator',
    'moderation/MailsPage',
    () => import('#web/moderation/MailsPage.data.ts'),
  ],
  [
    '/admin/jobs',
    'administrator',
    'moderation/JobsPage',
    () => import('#web/moderation/JobsPage.data.ts'),
  ],
  [
    '/admin/audit',
    'administrator',
    'moderation/AuditPage',
    () => import('#web/moderation/AuditPage.data.ts'),
  ],
  [
    '/admin/backups',
    'administrator',
    'moderation/backups/BackupsPage',
    () => import('#web/moderation/backups/BackupsPage.data.ts'),
  ],
  [
    '/admin/webhooks',
    'administrator',
    'moderation/webhooks/WebhooksPage',
    () => import('#web/moderation/webhooks/WebhooksPage.data.ts'),
  ],
  ['/api/docs', 'all', 'info/ApiDocsPage', () => import('#web/info/ApiDocsPage.data.ts')],
  ['*', 'all', 'layout/NotFoundPage', () => import('#web/layout/NotFoundPage.data.ts')],
]
