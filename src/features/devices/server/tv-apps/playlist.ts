import { categoryName } from '#features/catalog/rules.ts'
import { readWatch } from '#features/watch/server/plays/read-watch.ts'
import { appAddresses, channelAddress } from './app-addresses.ts'
import type { TvAppRequest } from './find-tv-app.ts'

/** Escapes a value: a quote would end the attribute, and a line break the entry. */
const attribute = (text: string): string => text.replaceAll(/["\r\n]/g, ' ').trim()

/** The address of a logo; empty for a generated mark, which is no file. */
export const logoAddress = (publicUrl: string, logo: string): string =>
  logo.startsWith('/') ? `${publicUrl}${logo}` : ''

/** The channels that the customer can watch, as an M3U playlist. */
export async function m3uOf({ db, config: { publicUrl, ...config }, app, country }: TvAppRequest): Promise<string> {
  const { channels } = await readWatch(db, { publicUrl, ...config }, app.userId, country)
  const lines = [`#EXTM3U x-tvg-url="${appAddresses(publicUrl, app).guideUrl}"`]
  for (const { id, name, category, logo, number, blocked, archiveHours } of channels) {
    if (blocked !== null) continue
    const attributes = {
      'tvg-id': String(id),
      'tvg-name': name,
      ...(number !== null && { 'tvg-chno': String(number) }),
      'tvg-logo': logoAddress(publicUrl, logo),
      'group-title': categoryName(category),
      ...(archiveHours > 0 && { catchup: 'xc', 'catchup-days': String(Math.ceil(archiveHours / 24)) }),
    }
    const written = Object.entries(attributes).map(([key, value]) => `${key}="${attribute(value)}"`)
    lines.push(`#EXTINF:-1 ${written.join(' ')},${attribute(name)}`, channelAddress(publicUrl, app, id))
  }
  return `${lines.join('\n')}\n`
}
