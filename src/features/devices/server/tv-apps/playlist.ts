import { categoryName } from '#features/catalog/rules.ts'
import { invalid } from '#server/errors.ts'
import { appAddresses } from './app-addresses.ts'
import type { TvAppRequest } from './find-tv-app.ts'
import type { Lineup } from './lineups.ts'

/** The file extension of the channel URLs for each value of `output`. All URLs return HLS. */
const extensions = { m3u8: 'm3u8', hls: 'm3u8', ts: 'ts', mpegts: 'ts' } as const
/** The format of a playlist. `isExtended`: with the number, logo and category of each channel, and the URL of the guide. */
export type PlaylistForm = { isExtended: boolean; extension: (typeof extensions)[keyof typeof extensions] }

/** Returns the playlist format that an app asks for. Throws 400 for an unsupported type or output, as Xtream panels do. */
export function playlistForm(query: URLSearchParams): PlaylistForm {
  const type = query.get('type') || 'm3u_plus'
  const output = query.get('output') || 'm3u8'
  if (type !== 'm3u' && type !== 'm3u_plus') return invalid('type', 'Supported types: m3u and m3u_plus.')
  if (!Object.hasOwn(extensions, output)) return invalid('output', 'Supported outputs: m3u8 and ts.')
  return { isExtended: type === 'm3u_plus', extension: extensions[output as keyof typeof extensions] }
}

/** Escapes an attribute value: a quote would end the attribute, and a line break would end the entry. */
const attribute = (text: string): string => text.replaceAll(/["\r\n]/g, ' ').trim()

/** Returns the URL of a logo; empty for a generated mark, which has no file. */
export const logoAddress = (publicUrl: string, logo: string): string =>
  logo.startsWith('/') ? `${publicUrl}${logo}` : ''

/** The placeholder for the credentials in the entries, which are the same for all customers. No text in the database can contain this character. */
const credentialsMark = '\0'

/** Returns the channels that can be watched in the country of the app as an M3U playlist with the credentials of the app. */
export async function m3uOf({ config: { publicUrl }, app, lineup }: TvAppRequest, form: PlaylistForm): Promise<string> {
  const current = await lineup()
  const { isExtended, extension } = form
  const entries = current.text(`${isExtended} ${extension}`, () => entriesOf(current, publicUrl, form))
  const head = isExtended ? `#EXTM3U x-tvg-url="${appAddresses(publicUrl, app).guideUrl}"` : '#EXTM3U'
  return `${head}\n${entries.replaceAll(credentialsMark, () => `${app.username}/${app.password}`)}`
}

function entriesOf({ channels }: Lineup, publicUrl: string, { isExtended, extension }: PlaylistForm): string {
  const entries = channels.map(({ id, name, category, logo, number, archiveHours }) => {
    const attributes = isExtended && {
      'tvg-id': String(id),
      'tvg-name': name,
      ...(number !== null && { 'tvg-chno': String(number) }),
      'tvg-logo': logoAddress(publicUrl, logo),
      'group-title': categoryName(category),
      ...(archiveHours > 0 && { catchup: 'xc', 'catchup-days': String(Math.ceil(archiveHours / 24)) }),
    }
    const written = Object.entries(attributes || {}).map(([key, value]) => ` ${key}="${attribute(value)}"`)
    const address = `${publicUrl}/live/${credentialsMark}/${id}.${extension}`
    return `#EXTINF:-1${written.join('')},${attribute(name)}\n${address}\n`
  })
  return entries.join('')
}
