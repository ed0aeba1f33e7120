// The first import, because it declares the order of all cascade layers.
import '#web/ui/styles/index.css'
import { useEffect } from 'react'
import { Outlet, ScrollRestoration, useMatches, type UIMatch } from 'react-router'
import { UnreadWatch } from '#web/community/chat/UnreadWatch.tsx'
import type { PageHandle } from '#web/core/router/route-page.ts'
import { sendDrafts } from '#web/core/storage/draft-queue.ts'
import { useSession } from '#web/core/session.ts'
import { Announcements } from '#web/layout/said/Announcements.tsx'
import { DocumentHead } from '#web/layout/DocumentHead.tsx'
import { Footer } from '#web/layout/Footer.tsx'
import { Header } from '#web/layout/header/Header.tsx'
import { Progress } from '#web/layout/Progress.tsx'
import { SignInAgain } from '#web/layout/SignInAgain.tsx'
import { Connection } from '#web/layout/Connection.tsx'
import { Toasts } from '#web/layout/said/Toasts.tsx'
import { useArrival } from '#web/layout/use-arrival.ts'
import { WaitingPage } from '#web/layout/WaitingPage.tsx'
import { SuspendedBanner } from '#web/layout/SuspendedBanner.tsx'
import { begin as sendProgress } from '#web/items/progress/sending.ts'

export function Root() {
  useArrival()
  const session = useSession()
  const isSignedIn = session !== null
  // Sends what was queued while offline.
  useEffect(() => {
    if (!isSignedIn) return
    sendProgress()
    sendDrafts()
  }, [isSignedIn])
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
      {session?.suspended === true && <SuspendedBanner />}
      <main id="main" className={match?.handle?.mainClass ?? 'wrap'} tabIndex={-1}>
        {hero}
        <WaitingPage>
          <Outlet />
        </WaitingPage>
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
