/** A player in place of YouTube's, and what people do at it. */
import type { BrowserContext, Page } from '@playwright/test'

/**
 * Puts a player of 20 minutes into pages. It says the second that is pressed and pauses there, or that it has ended. Its
 * buttons come once the page listens to it.
 */
export async function playHere(where: Page | BrowserContext): Promise<void> {
  await where.route('https://www.youtube-nocookie.com/**', (route) =>
    route.fulfill({
      contentType: 'text/html',
      body: `<p hidden><button>100</button><button>135</button><button>760</button><button>1150</button><button>end</button></p><script>
        const tell = (info) => parent.postMessage(JSON.stringify({ event: 'infoDelivery', info }), '*')
        addEventListener('message', () => {
          tell({ duration: 1200 })
          document.querySelector('p').hidden = false
        })
        addEventListener('click', ({ target }) => {
          if (target.textContent === 'end') return tell({ playerState: 0 })
          tell({ currentTime: Number(target.textContent) })
          tell({ playerState: 2 })
        })
      </script>`,
    }),
  )
}

/** Presses a button of the player, once it is there. */
export const press = (page: Page, name: string): Promise<void> =>
  page.frameLocator('iframe').getByRole('button', { name, exact: true }).click()
