import { expect } from '@playwright/test'
import { inAppDatabase, notifyCatalog } from './app-database.ts'
import type { Installation } from './browser-apps.ts'

/**
 * Returns a function that removes what a test added to the lineup of an installation after this call: imported channels and everything about
 * them, rights, listings, and what the panel sends. Watching is off afterwards. No page may be open while it runs.
 */
export async function lineupRestorer({ app, data, panel }: Installation): Promise<() => Promise<void>> {
  const last = await inAppDatabase(data, async (client) => {
    const { rows } = await client.query<{ last: number }>('SELECT coalesce(max(id), 0) AS last FROM channels')
    return rows[0]!.last
  })
  return async () => {
    Object.assign(panel.watch, { categories: [], streams: [], xmltv: undefined })
    panel.epg.programs = {}
    const { streams } = panel
    Object.assign(streams, { modes: {}, files: {} })
    streams.requests.length = 0
    streams.forgetTokens()
    await inAppDatabase(data, async (client) => {
      await client.query('BEGIN')
      await client.query('UPDATE watching SET enabled_at = NULL, enabled_by = NULL')
      for (const table of ['channel_rights', 'watch_channels', 'plays', 'guide_channels', 'guide_sources'])
        await client.query(`DELETE FROM ${table}`)
      await client.query('DELETE FROM watchlist WHERE channel_id > $1', [last])
      await client.query('DELETE FROM channels WHERE id > $1', [last])
      await notifyCatalog(client)
      await client.query('COMMIT')
    })
    // Without this notification the app would send the cached lineup, with the ids of deleted channels, to the next test.
    const ids = async () =>
      ((await (await fetch(`${app.url}/api/channels`)).json()) as { id: number }[]).map(({ id }) => id)
    await expect.poll(async () => Math.max(0, ...(await ids()))).toBeLessThanOrEqual(last)
  }
}
