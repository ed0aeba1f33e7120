/** Simulates YouTube's player. */
import type { BrowserContext, Page } from '@playwright/test'

/**
 * Installs a player of 20 minutes in pages. Its buttons, which appear once the page listens, report a position and
 * pause there, or report the end. Its list contains the received commands.
 */
export async function playHere(where: Page | BrowserContext): Promise<void> {
  await where.route('https://www.youtube-nocookie.com/**', (route) =>
    route.fulfill({
      contentType: 'text/html',
      body: `<p hidden><button>100</button><button>135</button><button>760</button><button>1150</button><button>end</button></p><ol></ol><script>
        const tell = (info) => parent.postMessage(JSON.stringify({ event: 'infoDelivery', info }), '*')
        addEventListener('message', ({ data }) => {
          const { event, func, args } = JSON.parse(data)
          if (event === 'command')
            return document.querySelector('ol').append(Object.assign(document.createElement('li'), { textContent: [func, ...args].join(' ') }))
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

/** Waits for a button of the player and presses it. By key: a click would miss it while the video moves into place. */
export async function press(page: Page, name: string): Promise<void> {
  const button = page.frameLocator('iframe').getByRole('button', { name, exact: true })
  await button.waitFor()
  await button.press('Enter')
}
