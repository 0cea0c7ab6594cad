import { withoutControlCharacters } from '#kit/text.ts'
import type { TvAppRequest } from './find-tv-app.ts'
import { logoAddress } from './playlist.ts'
import { readListings } from './read-listings.ts'

const hourMs = 3_600_000
const channelsPerQuery = 25

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&apos;' }
/** Escapes text for XML. Removes control characters, U+FFFE and U+FFFF, because XML 1.0 cannot represent them. */
const escaped = (text: string): string =>
  withoutControlCharacters(text.replaceAll(/\s+/g, ' '))
    .replaceAll(/[\ufffe\uffff]/g, '')
    .replaceAll(/[&<>"']/g, (found) => entities[found]!)
const time = (ms: number): string => `${new Date(ms).toISOString().slice(0, 19).replaceAll(/[-:T]/g, '')} +0000`

/** Generates the XMLTV guide of the channels that the customer can watch, from the beginning of the archive to three days ahead. */
export async function* xmltvOf({ db, config, lineup }: TvAppRequest): AsyncGenerator<string> {
  const { channels: shown } = await lineup()
  yield '<?xml version="1.0" encoding="UTF-8"?>\n<tv>\n'
  yield shown
    .map(({ id, name, logo }) => {
      const icon = logoAddress(config.publicUrl, logo)
      return `<channel id="${id}"><display-name>${escaped(name)}</display-name>${icon && `<icon src="${escaped(icon)}"/>`}</channel>\n`
    })
    .join('')
  const now = Date.now()
  const back = Math.max(6, ...shown.map(({ archiveHours }) => archiveHours))
  for (let at = 0; at < shown.length; at += channelsPerQuery) {
    const ids = shown.slice(at, at + channelsPerQuery).map(({ id }) => id)
    const listings = await readListings(db, ids, { from: now - back * hourMs, to: now + 72 * hourMs })
    yield listings
      .map(({ channelId, start, end, title, subtitle, description, category }) => {
        const more = [
          subtitle && `<sub-title>${escaped(subtitle)}</sub-title>`,
          description && `<desc>${escaped(description)}</desc>`,
          category && `<category>${escaped(category)}</category>`,
        ]
        return `<programme start="${time(start)}" stop="${time(end)}" channel="${channelId}"><title>${escaped(title)}</title>${more.filter(Boolean).join('')}</programme>\n`
      })
      .join('')
  }
  yield '</tv>\n'
}
