import type { Page } from '@playwright/test'
import { guideDays } from '#features/guide/view-rules.ts'
import { rightsStatement } from '#features/watch/admin-contract.ts'
import { instantAt } from '#kit/clock.ts'
import { addListings } from '../test/harness/app-database.ts'
import { expect, expectAccessible } from '../test/harness/browser.ts'
import { linePassword } from '../test/harness/fake-panel.ts'
import { inEachLook } from '../test/harness/looks.ts'
import { buyPlan, sendWrite } from './order.ts'
import { channelIdsOf, test } from './watching.ts'

const grid = (page: Page) => page.getByRole('region', { name: /^Programs, / })
const focused = (page: Page) => page.locator(':focus')

test('two key presses in the guide play a program; arrow keys keep the time; a reminder can be set and removed', async ({
  page,
  register,
  adminCaller,
  panel,
  data,
  zone: { minutesAhead, hour },
}) => {
  test.setTimeout(120_000)
  panel.watch.categories = [{ category_id: '1', category_name: 'News' }]
  panel.watch.streams = [
    { stream_id: 'news.1', name: 'Aft News', num: 7, stream_type: 'live', category_id: '1' },
    { stream_id: 'direct.1', name: 'Bay News', num: 18, stream_type: 'live', category_id: '1' },
  ]
  const admin = adminCaller
  await sendWrite(admin, 'post', '/api/admin/channel-import', {
    iptvUsername: 'line',
    iptvPassword: linePassword,
    categories: { news: '1' },
    show: true,
  })
  const channelIds = await channelIdsOf(admin, ['Aft News', 'Bay News'])
  await sendWrite(admin, 'post', '/api/admin/channel-rights', {
    channelIds,
    source: 'Satellite feed',
    licensor: 'Harbor Media',
    territories: 'WORLD',
    validFrom: '2020-01-01',
    validUntil: '2099-12-31',
    document: 'Contract 4711',
  })
  await sendWrite(admin, 'put', '/api/admin/watch-channels', { channelIds, published: true })
  // Adds the listings before turning watching on, because that also clears the cached settings of the site.
  await addListings(data, { minutesAhead })
  await sendWrite(admin, 'put', '/api/admin/watching', { enabled: true, statement: rightsStatement })
  await page.goto('/channels')
  const visitorCard = page.getByRole('button', { name: /^Bay News/ })
  await expect(visitorCard).toContainText(`Now Bay News ${hour(0)}`)
  await expect(visitorCard.locator('.scene')).toHaveCount(1)

  await register()
  await buyPlan(page, admin, 1, 1)
  await sendWrite(page, 'post', '/api/iptv/sync', { iptvUsername: 'unsaid.1', iptvPassword: linePassword })
  for (const id of channelIds.toReversed()) await sendWrite(page, 'put', `/api/watchlist/${id}`, { listed: true })
  await sendWrite(page, 'put', '/api/watchlist', { channelIds: channelIds.toReversed() })

  await page.goto('/guide')
  await expect(grid(page).getByRole('heading', { level: 2 }).first()).toHaveText('Favorites, 2 channels')
  const first = grid(page).locator('button.guide-cell[tabindex="0"]')
  await expect(first).toHaveCount(1)
  await expectAccessible(page)
  await first.focus()
  await expect(focused(page)).toHaveAccessibleName(
    new RegExp(`^Bay News ${hour(0)}\\. Part .* On now, (1 hr|\\d+ min) left\\.$`),
  )
  await page.keyboard.press('PageDown')
  await expect(focused(page)).toHaveAccessibleName(new RegExp(`^(?!Bay|Aft).* ${hour(0)}\\. .* On now`))
  await page.keyboard.press('PageUp')
  await expect(focused(page)).toHaveAccessibleName(new RegExp(`^Bay News ${hour(0)}`))
  await page.keyboard.press('ArrowDown')
  await expect(focused(page)).toHaveAccessibleName(new RegExp(`^Aft News ${hour(0)}`))
  await page.keyboard.press('ArrowRight')
  await expect(focused(page)).toHaveAccessibleName(new RegExp(`^Aft News ${hour(1)}`))
  await page.keyboard.press('ArrowUp')
  await expect(focused(page)).toHaveAccessibleName(new RegExp(`^Bay News ${hour(1)}`))

  await page.keyboard.press('End')
  await expect(focused(page)).toHaveAccessibleName(new RegExp(`^Bay News ${hour(3)}`))
  await page.keyboard.type('7')
  await expect(focused(page)).toHaveAccessibleName(new RegExp(`^Aft News ${hour(3)}`))
  await page.keyboard.type('19')
  await expect(page.locator('#announcements')).toHaveText('No channel 19')
  await page.keyboard.type('18')
  await expect(focused(page)).toHaveAccessibleName(new RegExp(`^Bay News ${hour(3)}`))
  await page.keyboard.press('ArrowLeft')
  await page.keyboard.press('ArrowLeft')
  await expect(focused(page)).toHaveAccessibleName(new RegExp(`^Bay News ${hour(1)}`))

  await page.keyboard.press('Enter')
  const details = page.getByRole('dialog', { name: `Bay News ${hour(1)}` })
  await expect(details).toContainText('What happens at this hour.')
  await details.getByRole('button', { name: 'Remind Me', exact: true }).click()
  await expect(details.getByRole('button', { name: 'Reminder Set', exact: true })).toHaveAttribute(
    'aria-pressed',
    'true',
  )
  await details.getByRole('button', { name: 'Add to Watchlist' }).click()
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await expect(focused(page)).toHaveAccessibleName(/Reminder set\.$/)
  expect(await grid(page).locator('*').count()).toBeLessThanOrEqual(400)

  await page.keyboard.press('Home')
  await expect(focused(page)).toHaveAccessibleName(new RegExp(`^Bay News ${hour(0)}`))
  await page.keyboard.press('Enter')
  await expect(focused(page)).toHaveText('Watch')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(`/watch/${channelIds[1]}`)
  const video = page.locator('video')
  await expect
    .poll(() => video.evaluate((element: HTMLVideoElement) => element.currentTime), { timeout: 20_000 })
    .toBeGreaterThan(0)
  await expect(page.getByRole('region', { name: 'Channels' })).toContainText(`Bay News ${hour(0)}`)

  await page.goto('/channels')
  const watch = page.getByRole('banner').getByRole('link', { name: 'Watch' })
  await expect(watch).toHaveAttribute('href', '/watch')
  await page.getByRole('button', { name: /^Bay News/ }).click()
  const preview = page.getByRole('dialog', { name: 'Bay News' })
  await expect(preview).toContainText(`Bay News ${hour(1)}`)
  await expect(preview.getByRole('link', { name: 'Watch' })).toHaveAttribute('href', `/watch/${channelIds[1]}`)
  await page.keyboard.press('Escape')
  await watch.click()
  await expect(page).toHaveURL(/\/watch/)
  await expect(watch).toHaveCount(0)

  await page.goto('/dashboard')
  await expect(page.getByRole('link', { name: 'Open Player' }).first()).toHaveAttribute('href', '/watch')
  await page.goto('/dashboard?tab=watchlist')
  const programs = page.getByRole('region', { name: 'Programs' })
  await expect(programs).toContainText(`Bay News ${hour(1)}`)
  await programs.getByRole('button', { name: 'Remove' }).click()
  await expect(programs).toHaveCount(0)
})

test('a search finds programs and channels, or says that there are none', async ({
  page,
  register,
  data,
  zone: { minutesAhead, hour },
}) => {
  await addListings(data, { minutesAhead })
  await register()
  await page.goto('/guide?view=list')
  const search = page.getByRole('searchbox', { name: 'Search programs and channels' })
  await search.fill('quiz parl')
  await expect(page.getByRole('heading', { name: 'Quiz Parlor' })).toBeVisible()
  await expect(page.getByRole('button', { name: new RegExp(`Quiz Parlor ${hour(0)}.*On now`) })).toBeVisible()
  const announced = page.locator('#announcements')
  await expect(announced).toHaveText(/^\d+ programs for “quiz parl”$/)
  const days = page.getByRole('navigation', { name: 'Day' })
  await expect(days.locator('[aria-current]')).toHaveCount(0)
  await days.getByRole('link').last().click()
  await expect(page.getByRole('heading', { name: /^0 programs for “quiz parl” on \w+day, \w+ \d+$/ })).toBeVisible()
  await expect(search).toHaveValue('quiz parl')
  await page.getByRole('link', { name: 'Search All Days' }).click()
  await page.getByRole('link', { name: 'Kids' }).click()
  await expect(page.locator('.empty-title')).toHaveText('No programs match "quiz parl"')
  await page.getByRole('link', { name: 'All', exact: true }).click()
  await days.getByRole('link', { name: /Today, / }).click()
  await expect(page.getByRole('heading', { name: /^\d+ programs? for “quiz parl” today$/ })).toBeVisible()
  await expect(page.getByRole('button', { name: new RegExp(`Quiz Parlor ${hour(0)}.*On now`) })).toBeVisible()
  await page.getByRole('link', { name: 'Search All Days' }).click()
  await search.fill('nothing like it')
  const nothing = 'No programs match "nothing like it"'
  await expect(page.locator('.empty-title')).toHaveText(nothing)
  await expect(announced).toHaveText(nothing)
  await page.getByRole('link', { name: 'Clear Search' }).click()
  await expect(search).toHaveValue('')
})

test('category, day and time of the list can be chosen and are announced @proof', async ({
  page,
  register,
  data,
  zone: { minutesAhead },
}) => {
  await addListings(data, { minutesAhead })
  await register()
  await page.goto('/guide?view=list')
  const announced = page.locator('#announcements')
  const days = page.getByRole('navigation', { name: 'Day' })
  await page.getByRole('link', { name: 'Kids' }).click()
  await expect(page).toHaveURL(/category=kids/)
  await expect(page.getByRole('heading', { level: 3 })).toHaveCount(10)
  await expect(announced).toHaveText('10 channels in Kids')
  await expect(page.getByRole('toolbar').locator('[aria-current]')).toHaveText('Kids')
  await days.getByRole('link', { name: /Today, / }).click()
  await expect(announced).toHaveText(/^Today, \w+ \d+$/)
  await days.getByRole('link').last().click()
  await expect(announced).toHaveText(/^\w+day, \w+ \d+$/)
  await expect(days.locator('[aria-current]')).toHaveCount(1)
  const times = page.getByRole('navigation', { name: 'Time' })
  await expect(times.locator('[aria-current]')).toHaveText('6 PM')
  await times.getByRole('link', { name: '9 AM' }).click()
  await expect(times.locator('[aria-current]')).toHaveText('9 AM')
})

test('the view chosen last opens, and the hours after the visible ones are preloaded', async ({
  page,
  register,
  data,
  zone: { minutesAhead, name },
}) => {
  await addListings(data, { minutesAhead })
  await register()
  const days = guideDays(Date.now(), name)
  const { day } = days[days.findIndex(({ isToday }) => isToday) + 1]!
  const at = (clock: number) => new Date(instantAt(day, clock, name)).toISOString()
  // The grid shows about four hours from noon, all in the part of the guide that begins at noon. The next part begins at 6 PM.
  const next = page.waitForRequest((request) => request.url().includes(`/api/guide?from=${encodeURIComponent(at(18))}`))
  await page.goto(`/guide?day=${day}&at=${at(12)}`)
  await expect(grid(page)).toBeVisible()
  await next

  await page.getByRole('radio', { name: 'List' }).check()
  await expect(grid(page)).toHaveCount(0)
  await page.goto('/guide')
  await expect(page.getByRole('navigation', { name: 'Time' })).toBeVisible()
  await expect(page.getByRole('radio', { name: 'List' })).toBeChecked()
  await page.getByRole('radio', { name: 'Grid' }).check()
  await expect(grid(page)).toBeVisible()
})

test.describe('without scripts', () => {
  test.use({ javaScriptEnabled: false })
  test('the guide lists what is on now and next, by day and category', async ({
    page,
    register,
    data,
    zone: { minutesAhead, hour, hourAt },
  }) => {
    await addListings(data, { minutesAhead })
    await register()
    await page.goto('/guide?category=kids')
    await expect(page.getByRole('listitem').filter({ hasText: 'Cardboard Rocket' })).toContainText(
      `Cardboard Rocket ${hour(0)}`,
    )
    // The server does not know the viewer's time zone and shows what is on at 6 PM in UTC.
    const tomorrow = new Date(Date.now() + 86_400_000 - 6 * 3_600_000).toISOString().slice(0, 10)
    const evening = Date.parse(`${tomorrow}T18:00:00Z`)
    await page.goto(`/guide?category=kids&day=${tomorrow}`)
    await expect(page.getByRole('listitem').filter({ hasText: 'Cardboard Rocket' }).last()).toContainText(
      new RegExp(`Cardboard Rocket (${hourAt(evening)}|${hourAt(evening + 3_600_000)})`),
    )
  })
})

inEachLook({ height: 900 }, () => {
  test('the guide is accessible and does not overflow @proof', async ({
    page,
    register,
    data,
    zone: { minutesAhead },
  }) => {
    await addListings(data, { minutesAhead })
    await register()
    for (const path of ['/guide', '/guide?view=list', '/guide?q=news']) {
      await page.goto(path)
      await expect(page.getByRole('heading', { level: 3 }).first()).toBeVisible()
      await expectAccessible(page)
      expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0)
    }
  })
})
