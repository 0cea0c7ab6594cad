import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createAppLogin } from '#features/devices/contract.ts'
import { openCountryDatabase } from '#features/visitors/server/country.ts'
import { channelRights } from '#server/db/tables.ts'
import { addressFile } from '../../../test/harness/address-file.ts'
import { type WatchWorld, watchWorld } from '../../../test/harness/watch-world.ts'
import { getWatch, openPlay } from './contract.ts'

const home = '198.51.100.7'
const abroad = '203.0.113.7'
const unknown = '192.0.2.7'
const log = { info: () => {}, error: () => {} }
const folder = mkdtempSync(join(tmpdir(), 'sauce-rights-'))
let world: WatchWorld
beforeAll(async () => {
  const file = join(folder, 'countries.mmdb')
  writeFileSync(file, addressFile({ '198.51.100.0/24': { code: 'US' }, '203.0.113.0/24': { code: 'IS' } }))
  world = await watchWorld({ geoipDatabase: file })
  openCountryDatabase(file, log)
})
afterAll(async () => {
  openCountryDatabase(undefined, log)
  rmSync(folder, { recursive: true })
  await world.close()
})

type Right = Partial<typeof channelRights.$inferInsert> | 'none'
/** What a customer at this IP address gets if the channel has this right: on the page, from the API, and from the links of a TV app. */
async function waysTo(right: Right, ip: string) {
  const channelId = await world.addChannel('news', { territories: 'US' })
  const its = eq(channelRights.channelId, channelId)
  if (right === 'none') await world.app.db.delete(channelRights).where(its)
  else if (Object.keys(right).length > 0) await world.app.db.update(channelRights).set(right).where(its)
  const viewer = await world.signInViewer(2)
  const { username, password } = await viewer.client.call(createAppLogin, { body: { name: 'Kodi' } })
  const browser = world.app.client({ ip })
  browser.cookies.set('sid', viewer.client.cookies.get('sid')!)
  const app = world.app.client({ ip })
  const get = async (path: string) => {
    const response = await app.request(path, { headers: { origin: null } })
    return { status: response.status, text: await response.text() }
  }
  const before = world.panel.streams.requests.length
  const page = (await browser.call(getWatch, {})).channels.find(({ id }) => id === channelId)
  const played = await browser.call(openPlay, { body: { channelId } }).catch((error: { code: string }) => error)
  const credentials = `username=${username}&password=${password}`
  const list = await get(`/player_api.php?${credentials}&action=get_live_streams`)
  const m3u = await get(`/get.php?${credentials}&type=m3u_plus`)
  const links = [`/live/${username}/${password}/${channelId}.m3u8`, `/${username}/${password}/${channelId}`]
  const statuses: number[] = []
  for (const link of links) statuses.push((await get(link)).status)
  return {
    page: page?.blocked,
    api: 'code' in played ? played.code : 'plays',
    isListed: list.text.includes(`"stream_id":${channelId},`) || m3u.text.includes(`/${channelId}`),
    statuses,
    calls: world.panel.streams.requests.length - before,
  }
}

describe('a channel is not shown, listed or played on the page, by the API or by links, and the panel is not called,', () => {
  test.each<[string, Right, string, string]>([
    ['without a right', 'none', home, 'not_licensed'],
    ['after its right ended', { validUntil: '2020-01-02' }, home, 'not_licensed'],
    ['before its right begins', { validFrom: '2099-12-30' }, home, 'not_licensed'],
    ['in another country', {}, abroad, 'territory'],
    ['in an unknown country', {}, unknown, 'territory'],
  ])('%s', async (_, right, ip, reason) => {
    expect(await waysTo(right, ip)).toEqual({
      ...{ page: reason, api: reason },
      ...{ isListed: false, statuses: [403, 403], calls: 0 },
    })
  })

  test('without a GeoIP database', async () => {
    openCountryDatabase(undefined, log)
    expect(await waysTo({}, home)).toMatchObject({ page: 'territory', api: 'territory', calls: 0 })
    openCountryDatabase(join(folder, 'countries.mmdb'), log)
  })
})

test('in a country that its right covers, a channel is shown, listed and played', async () => {
  expect(await waysTo({}, home)).toMatchObject({ page: null, api: 'plays', isListed: true, statuses: [200, 200] })
})
