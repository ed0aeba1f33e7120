import type { ReactNode } from 'react'
import { Outlet, ScrollRestoration, useMatches, type UIMatch, useRouteError } from 'react-router'
import { UnreadWatch } from '#web/chat/UnreadWatch.tsx'
import type { PageHandle } from '#web/core/router/route-page.ts'
import { useSession } from '#web/core/session.ts'
import { Announcements } from '#web/layout/said/Announcements.tsx'
import { DocumentHead } from '#web/layout/DocumentHead.tsx'
import { ErrorPage } from '#web/layout/ErrorPage.tsx'
import { Footer } from '#web/layout/Footer.tsx'
import { Header } from '#web/layout/header/Header.tsx'
import { suspendedBanner } from '#web/layout/person-parts.ts'
import { Progress } from '#web/layout/Progress.tsx'
import { SignInAgain } from '#web/layout/SignInAgain.tsx'
import { Connection } from '#web/layout/Connection.tsx'
import { Toasts } from '#web/layout/said/Toasts.tsx'
import { useArrival } from '#web/layout/use-arrival.ts'
import { WaitingPage } from '#web/layout/WaitingPage.tsx'
import '#web/ui/styles/index.css'
import '#web/layout/layout.css'

/** Thrown when no page could be looked for, because the list of them can't be had now. */
export class PagesAway extends Error {}

/** The frame round every page. */
export function Root() {
  return (
    <Frame>
      <Outlet />
    </Frame>
  )
}

/** What stands in the frame's place. When only the list of pages is away, the frame is sound, and stays. */
export function RootError() {
  if (!(useRouteError() instanceof PagesAway)) return <ErrorPage />
  return (
    <Frame>
      <ErrorPage />
    </Frame>
  )
}

function Frame({ children }: { readonly children: ReactNode }) {
  useArrival()
  const isSuspended = useSession()?.suspended === true
  // Only our own route table sets handles.
  const match = useMatches().at(-1) as UIMatch<unknown, PageHandle | undefined> | undefined
  const Hero = match?.handle?.Hero
  const data = match?.loaderData
  const hero = Hero && data !== undefined ? <Hero data={data} /> : undefined
  return (
    <>
      <DocumentHead />
      <Progress />
      <Header isAboveHero={hero !== undefined} />
      {isSuspended && <suspendedBanner.View />}
      <main id="main" className={match?.handle?.mainClass ?? 'wrap'} tabIndex={-1}>
        {hero !== undefined && <div className="stall home">{hero}</div>}
        <WaitingPage>{children}</WaitingPage>
      </main>
      <Footer />
      <Connection />
      <Announcements />
      <Toasts />
      <SignInAgain />
      <UnreadWatch />
      <ScrollRestoration />
    </>
  )
}
