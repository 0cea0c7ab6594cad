// A guide without an XMLTV source: the panel provides the listings, for the channels that a customer asks about or plays.
import { inAppDatabase, notifyCatalog } from '../test/harness/app-database.ts'
import { expect, expectAccessible } from '../test/harness/browser.ts'
import { linePassword } from '../test/harness/fake-panel.ts'
import { buyPlan, sendWrite } from './order.ts'
import { offerChannels, test } from './watching.ts'

test.use({ viewport: { width: 390, height: 844 } })

test('a customer asks what is on a channel, plays another channel, and sees where the listings come from', async ({
  page,
  register,
  adminCaller,
  panel,
  data,
}) => {
  const [newsId, directId] = await offerChannels(adminCaller, panel, [
    { stream_id: 'news.1', name: 'Harbor News', num: 12 },
    { stream_id: 'direct.1', name: 'Bay News', num: 14 },
    { stream_id: 'cove.1', name: 'Cove News', num: 16 },
  ])
  const startsAt = Math.floor(Date.now() / 60_000) * 60_000 - 20 * 60_000
  panel.epg.programs['news.1'] = [
    { title: 'Tide <b>Tables</b>', description: 'When the water comes & goes.', startsAt, minutes: 60 },
    { title: 'Night Ferry', startsAt: startsAt + 3_600_000, minutes: 90 },
  ]
  panel.epg.programs['cove.1'] = [1, 2, 3, 4].map((part) => ({
    title: `Cove at Noon ${part}`,
    startsAt: startsAt + (part - 1) * 30 * 60_000,
    minutes: 30,
  }))
  panel.epg.programs['direct.1'] = [{ title: 'Morning in the Bay', startsAt, minutes: 120 }]
  await register()
  await page.goto('/guide')
  await expect(page.getByText('The listings are not here right now')).toBeVisible()
  await buyPlan(page, adminCaller, 1, 1)
  await sendWrite(page, 'post', '/api/iptv/sync', { iptvUsername: 'unsaid.1', iptvPassword: linePassword })

  await page.goto('/guide?category=news')
  const card = page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: 'Harbor News' }) })
  await expectAccessible(page)
  await card.getByRole('button', { name: 'Show What Is On Harbor News' }).click()
  await expect(card).toContainText('Tide <b>Tables</b>')
  await expect(page.locator(':focus')).toContainText('Tide <b>Tables</b>')
  await expect(page.locator('#announcements')).toHaveText('Tide <b>Tables</b> on Harbor News')
  await page.keyboard.press('Enter')
  const details = page.getByRole('dialog', { name: 'Tide <b>Tables</b>' })
  await expect(details).toContainText('When the water comes & goes.')
  await expectAccessible(page)
  await page.keyboard.press('Escape')

  await page.goto(`/watch/${directId}`)
  await page.getByRole('button', { name: /^Play/ }).first().click()
  await expect
    .poll(async () => JSON.stringify(await (await page.request.get('/api/guide/now')).json()), { timeout: 20_000 })
    .toContain('Morning in the Bay')

  // In the grid, by keyboard. Most rows have no listings.
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.goto('/guide?category=news')
  const grid = page.getByRole('region', { name: /^Programs, / })
  const ask = grid.getByRole('button', { name: 'Show What Is On Cove News' })
  await expect(ask).toBeVisible()
  await expect(grid.locator('[tabindex="0"]')).toHaveCount(1)
  await expectAccessible(page)
  await grid.locator('[tabindex="0"]').focus()
  await expect(async () => {
    await page.keyboard.press('ArrowDown')
    await expect(ask).toBeFocused({ timeout: 50 })
  }).toPass({ intervals: [0] })
  await expect(ask).toHaveAttribute('tabindex', '0')
  await page.keyboard.press('Enter')
  await expect(page.locator(':focus')).toHaveAccessibleName(/^Cove at Noon 1\. .* On now/)
  // The grid shows more than the current and the next program.
  await expect(grid.getByRole('button', { name: /^Cove at Noon 4\. / })).toBeVisible()
  await page.keyboard.press('ArrowRight')
  await expect(page.locator(':focus')).toHaveAccessibleName(/^Cove at Noon 2\. /)
  await page.setViewportSize({ width: 390, height: 844 })

  // From here on an XMLTV source has listings for the first channel.
  await inAppDatabase(data, async (client) => {
    await client.query(
      `INSERT INTO guide_sources (name, shown_as, read_at) VALUES ('Listings', 'Harbor Listings', now())`,
    )
    await client.query(
      `INSERT INTO guide_channels (source_id, xmltv_id, name) SELECT id, 'harbor', 'Harbor' FROM guide_sources`,
    )
    await client.query(
      `UPDATE channel_guides SET matched = 'id', guide_channel_id = (SELECT id FROM guide_channels WHERE xmltv_id = 'harbor') WHERE channel_id = $1`,
      [newsId],
    )
    await client.query(`INSERT INTO guide_programs (guide_channel_id, starts_at, ends_at, title, features, rating)
      SELECT id, date_trunc('hour', now()), date_trunc('hour', now()) + interval '2 hours', 'From the Source', 10, 'TV-14'
      FROM guide_channels WHERE xmltv_id = 'harbor'`)
    await notifyCatalog(client)
  })
  await expect(async () => {
    await page.goto('/guide?category=news')
    await expect(page.getByText('Listings: Harbor Listings')).toBeVisible({ timeout: 1_000 })
  }).toPass({ timeout: 20_000, intervals: [500] })
  await page.getByRole('button', { name: /From the Source/ }).click()
  const named = page.getByRole('dialog', { name: 'From the Source' })
  await expect(named).toContainText('2 hr · TV-14 · HD · Subtitles')
  await expect(named).toContainText('Listings: Harbor Listings')
  await expectAccessible(page)
})
