import type { Page, Request } from '@playwright/test'
import { lineupLists } from '#features/catalog/web/channels/lineup-lists.ts'
import { expect, expectAccessible, test } from '../test/harness/browser.ts'
import { inEachLook } from '../test/harness/looks.ts'
import { sampled } from '../test/harness/scale.ts'
import { builtNames } from './built-names.ts'
import { expectSheet } from './watching.ts'

type Listed = { name: string; category: string; previewUrl: string | null }
const channelsOf = async (page: Page) => (await (await page.request.get('/api/channels')).json()) as Listed[]
/** Opens a page and waits for its scripts: earlier clicks have no effect. */
const open = (page: Page, path: string) => page.goto(path)
const tab = (page: Page, name: string) => page.getByRole('tab', { name, exact: true })
const heading = (page: Page, name: string) => page.getByRole('heading', { level: 2, name: new RegExp(`^${name} `) })
const preview = (page: Page) => page.getByRole('dialog')
const video = (page: Page) => preview(page).locator('video')
const playedSeconds = (page: Page) => video(page).evaluate((element: HTMLVideoElement) => element.currentTime)
const announcements = (page: Page) => page.locator('#announcements')
const withPreview = 'Harbor Drama with preview'
const withoutPreview = 'Quiz Parlor'

test.describe('the channel filter', () => {
  test('starts with all channels; each category tab shows its count and is in the URL', async ({ page }) => {
    await open(page, '/channels')
    await expect(page.getByRole('tab')).toHaveText([
      'All',
      'Entertainment',
      'Movies',
      'Sports',
      'NBA Teams',
      'NFL Teams',
      'NHL Teams',
      'Soccer',
      'News',
      'Kids',
      'International',
    ])
    await expect(tab(page, 'All')).toHaveAttribute('aria-selected', 'true')
    const channels = await channelsOf(page)
    await expect(page.getByRole('main').locator('.channel:visible')).toHaveCount(channels.length)

    await tab(page, 'Kids').click()

    const kids = channels.filter(({ category }) => category === 'kids')
    await expect(page).toHaveURL('/channels?category=kids')
    await expect(page.getByRole('main').locator('.channel:visible')).toHaveCount(kids.length)
    for (const { name } of kids)
      await expect(page.getByRole('button', { name: new RegExp(`^${name}( with preview)?$`) })).toBeVisible()
    await expect(announcements(page)).toHaveText(`${kids.length} channels in Kids`)

    await tab(page, 'All').click()
    await expect(page).toHaveURL('/channels')
    await expect(announcements(page)).toHaveText(`${channels.length} channels in All`)
  })

  test('supports the arrow keys, Home and End @proof', async ({ page }) => {
    await open(page, '/channels')
    await tab(page, 'All').focus()
    await page.keyboard.press('ArrowRight')
    await expect(tab(page, 'Entertainment')).toBeFocused()
    await expect(page).toHaveURL('/channels?category=entertainment')
    await page.keyboard.press('End')
    await expect(tab(page, 'International')).toBeFocused()
    await expect(heading(page, 'International')).toBeVisible()
    await expect(heading(page, 'Entertainment')).toBeHidden()
    await page.keyboard.press('Home')
    await expect(page).toHaveURL('/channels')
  })

  test('is read from the URL; an unknown category means all @proof', async ({ page }) => {
    await open(page, '/channels?category=nhl_teams')
    await expect(tab(page, 'NHL Teams')).toHaveAttribute('aria-selected', 'true')
    await expect(heading(page, 'Movies')).toBeHidden()
    await open(page, '/channels?category=__proto__')
    await expect(tab(page, 'All')).toHaveAttribute('aria-selected', 'true')
    await expect(heading(page, 'Movies')).toBeVisible()
  })
})

test.describe('while the channels load', () => {
  test('twelve placeholder cards have the size of channel cards @proof', async ({ page }) => {
    await open(page, '/pricing')
    let release = () => {}
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    await page.route('**/api/channels', async (route) => {
      await held
      await route.continue()
    })
    await page.getByRole('banner').getByRole('link', { name: 'Channels' }).click()
    const cards = page.locator('.channels .channel')
    await expect(cards).toHaveCount(12)
    await expect(page.getByText('Loading channels')).toBeAttached()
    const cardBox = await cards.nth(7).boundingBox()

    release()

    await expect(page.getByRole('button', { name: withPreview })).toBeVisible()
    expect(await cards.nth(7).boundingBox()).toEqual(cardBox)
  })

  test('a failure shows an error and can be retried @proof', async ({ page, allowPageError }) => {
    allowPageError(/status of 503/)
    await open(page, '/pricing')
    await page.route('**/api/channels', (route) =>
      route.fulfill({ status: 503, json: { message: 'We cannot reach our records right now.', code: 'unavailable' } }),
    )
    await page.getByRole('banner').getByRole('link', { name: 'Channels' }).click()
    await expect(page.getByRole('alert')).toContainText('The channels could not be loaded')
    await expect(page.getByRole('alert')).toContainText('We cannot reach our records right now.')
    await page.unroute('**/api/channels')
    await page.getByRole('button', { name: 'Retry' }).click()
    await expect(page.getByRole('button', { name: withPreview })).toBeVisible()
  })
})

test.describe('the preview of a channel', () => {
  test('without a stream shows a message with channel and category, and links to the plans', async ({ page }) => {
    await open(page, '/channels')
    await page.getByRole('button', { name: withoutPreview }).click()
    await expect(preview(page)).toHaveAccessibleName(withoutPreview)
    await expect(preview(page)).toHaveAccessibleDescription('Entertainment')
    await expect(preview(page).getByText('No preview available', { exact: true })).toBeVisible()
    await expect(preview(page).getByText('Preview mode. Subscribe for full content.')).toBeVisible()
    await expect(video(page)).toHaveCount(0)
    await expectSheet(preview(page))
    await preview(page).getByRole('link', { name: 'View Plans' }).click()
    await expect(page).toHaveURL('/pricing')
    await expect(page.getByRole('heading', { level: 1 })).toBeFocused()
    await expect(preview(page)).toHaveCount(0)
  })

  test('opens and closes by keyboard and returns the focus to its card @proof', async ({ page }) => {
    await open(page, '/channels?category=movies')
    for (const name of ['Popcorn Action with preview', 'Indie Loft']) {
      const card = page.getByRole('button', { name })
      await card.focus()
      await page.keyboard.press('Enter')
      await expect(preview(page)).toBeVisible()
      await expect.poll(() => preview(page).evaluate((dialog) => dialog.contains(document.activeElement))).toBe(true)
      await page.keyboard.press('Escape')
      await expect(preview(page)).toHaveCount(0)
      await expect(card).toBeFocused()
    }
  })

  test('does not play automatically when reduced motion is preferred @proof', async ({ page }) => {
    await open(page, '/channels')
    await page.getByRole('button', { name: withPreview }).click()
    await expect
      .poll(() => video(page).evaluate((element: HTMLVideoElement) => element.readyState))
      .toBeGreaterThanOrEqual(2)
    expect(
      await video(page).evaluate((element: HTMLVideoElement) => element.paused && element.muted && element.controls),
    ).toBe(true)
    await video(page).focus()
    await page.keyboard.press('Space')
    await expect.poll(() => playedSeconds(page)).toBeGreaterThan(0.3)
  })

  test('that does not respond times out after fifteen seconds @proof', async ({ page }) => {
    await page.clock.install()
    await page.route('**/previews/**', () => {})
    await open(page, '/channels')
    await page.getByRole('button', { name: withPreview }).click()
    await expect(preview(page).getByText('Loading preview')).toBeVisible()
    await page.clock.fastForward(15_000)
    await expect(preview(page).getByRole('alert')).toContainText('This preview cannot be played right now.')
  })
})

for (const how of ['natively', 'by hls.js'] as const) {
  test.describe(`a preview played ${how}`, () => {
    test.use({ contextOptions: { reducedMotion: 'no-preference' } })
    test.beforeEach(async ({ page }) => {
      // Without Media Source Extensions, as on older iPhones.
      if (how === 'natively')
        await page.addInitScript(() => {
          for (const name of ['MediaSource', 'ManagedMediaSource']) Reflect.deleteProperty(globalThis, name)
        })
    })

    const tag = how === 'natively' ? ' @proof' : ''
    test(`starts automatically, muted, and loads its scripts on demand${tag}`, async ({ page }) => {
      const names = builtNames()
      const scripts: string[] = []
      page.on('request', (request: Request) => {
        const { pathname } = new URL(request.url())
        if (pathname.endsWith('.js')) scripts.push(names.get(pathname) ?? '')
      })
      await open(page, '/channels')
      const before = scripts.length
      expect(scripts.filter((script) => /dialog|hls/.test(script))).toEqual([])

      await page.getByRole('button', { name: withPreview }).click()

      await expect.poll(() => playedSeconds(page)).toBeGreaterThan(0.5)
      expect(
        await video(page).evaluate((element: HTMLVideoElement) => [
          element.readyState >= 3,
          element.muted,
          element.paused,
          element.videoWidth,
        ]),
      ).toEqual([true, true, false, 640])
      const after = scripts.slice(before)
      expect(after.some((script) => script.includes('dialog'))).toBe(true)
      expect(after.some((script) => script.includes('hls'))).toBe(how === 'by hls.js')
    })

    test(`shows a message when the stream is missing, and plays once it is available${tag} @proof`, async ({
      page,
      allowPageError,
    }) => {
      allowPageError(/status of 404/)
      await page.route('**/previews/**', (route) => route.fulfill({ status: 404 }))
      await open(page, '/channels')
      await page.getByRole('button', { name: withPreview }).click()
      await expect(preview(page).getByRole('alert')).toContainText('This preview cannot be played right now.')
      await expect(preview(page).getByRole('link', { name: 'View Plans' })).toBeVisible()
      await page.unroute('**/previews/**')
      await preview(page).getByRole('button', { name: 'Try Again' }).click()
      await expect.poll(() => playedSeconds(page)).toBeGreaterThan(0.3)
      await expect(video(page)).toBeFocused()
      await expect(preview(page).getByRole('alert')).toHaveCount(0)
    })

    test('shows a message when the response is not a stream @proof', async ({ page }) => {
      await page.route('**/previews/**', (route) =>
        route.fulfill({ status: 200, contentType: 'text/plain', body: 'Good evening' }),
      )
      await open(page, '/channels')
      await page.getByRole('button', { name: withPreview }).click()
      await expect(preview(page).getByRole('alert')).toContainText('This preview cannot be played right now.')
    })
  })
}

test('a link to all channels and the number of channels are shown below the cards @proof', async ({ page }) => {
  await open(page, '/channels')
  await expect(
    page.getByText('Over 10,000 channels available with our subscription plans', { exact: true }),
  ).toBeVisible()
  await page.getByRole('link', { name: 'Access All Channels' }).click()
  await expect(page).toHaveURL('/pricing')
})

test.describe('the complete lineup', () => {
  test('counts the team channels of the catalog and links to them and to a trial', async ({ page }) => {
    await open(page, '/channels')
    await page.getByRole('link', { name: 'Complete Lineup' }).click()
    await expect(page.getByRole('heading', { level: 1, name: 'Complete Lineup' })).toBeFocused()
    await expect(page.getByRole('tab')).toHaveText(['Overview', 'Countries', 'Sports', 'Premium', 'Streaming', '24/7'])
    await expect(tab(page, 'Overview')).toHaveAttribute('aria-selected', 'true')
    const channels = await channelsOf(page)
    for (const [category, name] of [
      ['nba_teams', 'NBA Teams'],
      ['nfl_teams', 'NFL Teams'],
      ['nhl_teams', 'NHL Teams'],
      ['soccer', 'Soccer'],
    ]) {
      const count = channels.filter((channel) => channel.category === category).length
      await expect(page.getByRole('link', { name: `${name} ${count} channels` })).toBeVisible()
    }
    await expect(page.getByRole('link', { name: 'Request Free Trial' })).toHaveAttribute('href', '/request-trial')
    await page.getByRole('link', { name: /^Soccer/ }).click()
    await expect(page).toHaveURL('/channels?category=soccer')
    await expect(tab(page, 'Soccer')).toHaveAttribute('aria-selected', 'true')
  })

  const shortened = [
    ['Countries', 'countries', 15, 53],
    ['Sports', 'sports', 12, 21],
    ['Streaming', 'streaming', 10, 15],
  ] as const
  for (const [name, start, first, all] of sampled(shortened, 3)) {
    test(`shows ${first} of ${all} in ${name}, and the rest on request @proof`, async ({ page }) => {
      await open(page, '/channels/lineup')
      await tab(page, name).click()
      await expect(page).toHaveURL(`/channels/lineup?tab=${start}`)
      const items = page.getByRole('tabpanel').getByRole('listitem')
      await expect(items).toHaveCount(first)
      const toggle = page.getByRole('button', { name: `Show All (${all})` })
      await expect(toggle).toHaveAttribute('aria-expanded', 'false')
      await toggle.focus()
      await page.keyboard.press('Enter')
      await expect(items).toHaveCount(all)
      await expect(announcements(page)).toHaveText(`${all} of ${all} shown in ${name}`)
      const less = page.getByRole('button', { name: 'Show Less' })
      await expect(less).toBeFocused()
      await less.click()
      await expect(items).toHaveCount(first)
      await expect(toggle).toBeInViewport()
    })
  }

  for (const name of sampled(['24/7', 'Premium'], 2)) {
    test(`shows all of ${name} immediately @proof`, async ({ page }) => {
      await open(page, `/channels/lineup?tab=${name === '24/7' ? '24-7' : 'premium'}`)
      await expect(tab(page, name)).toHaveAttribute('aria-selected', 'true')
      expect(await page.getByRole('tabpanel').getByRole('listitem').count()).toBeGreaterThanOrEqual(10)
      await expect(page.getByRole('button', { name: /^Show/ })).toHaveCount(0)
    })
  }
})

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false })

  test('every channel can be read under its category', async ({ page }) => {
    await page.goto('/channels')
    await expect(page.getByRole('tab')).toHaveCount(0)
    for (const name of ['Entertainment', 'NBA Teams', 'International']) await expect(heading(page, name)).toBeVisible()
    const names = (await channelsOf(page)).map(({ name }) => name)
    await expect(page.locator('.channel-name:visible')).toHaveText(names)
    await page.goto('/channels?category=kids')
    await expect(page.locator('.channel-name:visible')).toHaveText(names)
  })

  test('every list of the lineup is complete @proof', async ({ page }) => {
    await page.goto('/channels/lineup')
    for (const { tab: name, items } of lineupLists) {
      const shown = page.getByRole('tabpanel', { name }).getByRole('listitem')
      await expect(shown).toHaveCount(items.length)
      await expect(shown.last()).toBeVisible()
    }
    await expect(page.getByRole('link', { name: /^NBA Teams \d+ channels$/ })).toBeVisible()
    await expect(page.getByRole('button', { name: /^Show/ })).toHaveCount(0)
  })
})

inEachLook({ widths: [320, 390, 1440], height: 800 }, ({ width }) => {
  test('channels, previews and the lineup are accessible and fit the screen @proof', async ({ page }) => {
    const expectFitting = async () => {
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width)
      await expectAccessible(page)
    }
    await open(page, '/channels')
    await expectFitting()
    for (const name of [withPreview, withoutPreview]) {
      await page.getByRole('button', { name }).click()
      await expect(preview(page).locator('video, .preview-state p').first()).toBeVisible()
      await expectFitting()
      await page.keyboard.press('Escape')
      await expect(preview(page)).toHaveCount(0)
    }
    await open(page, '/channels/lineup')
    await expectFitting()
    await open(page, '/channels/lineup?tab=countries')
    await page.getByRole('button', { name: /^Show All/ }).click()
    await expectFitting()
  })
})
