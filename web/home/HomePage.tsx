import { usePageData } from '#web/core/page.ts'
import { Explainer } from '#web/home/Explainer.tsx'
import type { loader } from '#web/home/HomePage.data.ts'
import { Popular } from '#web/home/Popular.tsx'
import '#web/home/home.css'

export { Hero } from '#web/home/Hero.tsx'
export const mainClass = 'stack'

/** The front page: the banner (in the header), what is watched most, how points work. */
export default function HomePage() {
  const { numbers, popular } = usePageData<typeof loader>()
  return (
    <>
      <Popular lessons={popular} total={numbers.lessons} />
      <Explainer />
    </>
  )
}
