/** The spec's route table, in its order: path, who may enter, page. Guards hold on the server and in the browser. */
import type { RouteObject } from 'react-router'
import {
  type DataModule,
  type PageAccess,
  type PageModule,
  routePage,
} from '#web/core/route-page.ts'
import { ErrorPage } from '#web/layout/ErrorPage.tsx'
import { Root } from '#web/root.tsx'

/** `name` is the page's file below web/, by which the server finds its files in the build's manifest. */
type Line = readonly [
  path: string,
  access: PageAccess,
  name: string,
  page: () => Promise<PageModule>,
  data: () => Promise<DataModule>,
]

const table: readonly Line[] = [
  [
    '/',
    'all',
    'home/HomePage',
    () => import('#web/home/HomePage.tsx'),
    () => import('#web/home/HomePage.data.ts'),
  ],
  [
    '/about',
    'all',
    'info/AboutPage',
    () => import('#web/info/AboutPage.tsx'),
    () => import('#web/info/AboutPage.data.ts'),
  ],
  [
    '/privacy-policy',
    'all',
    'info/PrivacyPage',
    () => import('#web/info/PrivacyPage.tsx'),
    () => import('#web/info/PrivacyPage.data.ts'),
  ],
  [
    '/lesson/all',
    'all',
    'lessons/LessonListPage',
    () => import('#web/lessons/LessonListPage.tsx'),
    () => import('#web/lessons/LessonListPage.data.ts'),
  ],
  [
    '/course/all',
    'all',
    'courses/CourseListPage',
    () => import('#web/courses/CourseListPage.tsx'),
    () => import('#web/courses/CourseListPage.data.ts'),
  ],
  [
    '/lesson/details/:id',
    'all',
    'lessons/LessonDetailsPage',
    () => import('#web/lessons/LessonDetailsPage.tsx'),
    () => import('#web/lessons/LessonDetailsPage.data.ts'),
  ],
  [
    '/course/details/:id/:lessonId?',
    'all',
    'courses/CourseDetailsPage',
    () => import('#web/courses/CourseDetailsPage.tsx'),
    () => import('#web/courses/CourseDetailsPage.data.ts'),
  ],
  [
    '/login',
    'guest',
    'accounts/LoginPage',
    () => import('#web/accounts/LoginPage.tsx'),
    () => import('#web/accounts/LoginPage.data.ts'),
  ],
  [
    '/register',
    'guest',
    'accounts/RegisterPage',
    () => import('#web/accounts/RegisterPage.tsx'),
    () => import('#web/accounts/RegisterPage.data.ts'),
  ],
  [
    '/logout',
    'user',
    'accounts/LogoutPage',
    () => import('#web/accounts/LogoutPage.tsx'),
    () => import('#web/accounts/LogoutPage.data.ts'),
  ],
  [
    '/profile/:id',
    'user',
    'profiles/ProfilePage',
    () => import('#web/profiles/ProfilePage.tsx'),
    () => import('#web/profiles/ProfilePage.data.ts'),
  ],
  [
    '/profile/update',
    'user',
    'accounts/AccountPage',
    () => import('#web/accounts/AccountPage.tsx'),
    () => import('#web/accounts/AccountPage.data.ts'),
  ],
  [
    '/lesson/create',
    'user',
    'lessons/LessonCreatePage',
    () => import('#web/lessons/LessonCreatePage.tsx'),
    () => import('#web/lessons/LessonCreatePage.data.ts'),
  ],
  [
    '/course/create',
    'user',
    'courses/CourseCreatePage',
    () => import('#web/courses/CourseCreatePage.tsx'),
    () => import('#web/courses/CourseCreatePage.data.ts'),
  ],
  [
    '/lesson/bought',
    'user',
    'lessons/BoughtLessonsPage',
    () => import('#web/lessons/BoughtLessonsPage.tsx'),
    () => import('#web/lessons/BoughtLessonsPage.data.ts'),
  ],
  [
    '/course/bought',
    'user',
    'courses/BoughtCoursesPage',
    () => import('#web/courses/BoughtCoursesPage.tsx'),
    () => import('#web/courses/BoughtCoursesPage.data.ts'),
  ],
  [
    '/lesson/yours',
    'user',
    'lessons/YourLessonsPage',
    () => import('#web/lessons/YourLessonsPage.tsx'),
    () => import('#web/lessons/YourLessonsPage.data.ts'),
  ],
  [
    '/course/yours',
    'user',
    'courses/YourCoursesPage',
    () => import('#web/courses/YourCoursesPage.tsx'),
    () => import('#web/courses/YourCoursesPage.data.ts'),
  ],
  [
    '/liked',
    'user',
    'profiles/LikedPage',
    () => import('#web/profiles/LikedPage.tsx'),
    () => import('#web/profiles/LikedPage.data.ts'),
  ],
  [
    '/lesson/edit/:id',
    'owner',
    'lessons/LessonEditPage',
    () => import('#web/lessons/LessonEditPage.tsx'),
    () => import('#web/lessons/LessonEditPage.data.ts'),
  ],
  [
    '/course/edit/:id',
    'owner',
    'courses/CourseEditPage',
    () => import('#web/courses/CourseEditPage.tsx'),
    () => import('#web/courses/CourseEditPage.data.ts'),
  ],
  [
    '/points',
    'user',
    'points/PointsPage',
    () => import('#web/points/PointsPage.tsx'),
    () => import('#web/points/PointsPage.data.ts'),
  ],
  [
    '/api/docs',
    'all',
    'info/ApiDocsPage',
    () => import('#web/info/ApiDocsPage.tsx'),
    () => import('#web/info/ApiDocsPage.data.ts'),
  ],
  [
    '*',
    'all',
    'layout/NotFoundPage',
    () => import('#web/layout/NotFoundPage.tsx'),
    () => import('#web/layout/NotFoundPage.data.ts'),
  ],
]

/** A fresh tree each time: a router resolves the lazy parts into it. */
export function createRoutes(): RouteObject[] {
  const pages = table.map(([path, access, name, page, data]) =>
    routePage({ path, access, name, page, data }),
  )
  // Two layers, so that a page that fails keeps the header and the footer round the error.
  return [
    {
      id: 'root',
      Component: Root,
      ErrorBoundary: ErrorPage,
      children: [{ id: 'page', ErrorBoundary: ErrorPage, children: pages }],
    },
  ]
}
