/** Times in XMLTV, from milliseconds since 1970. */
export const xmltvTime = (at: number): string =>
  `${new Date(at).toISOString().replaceAll(/\D/g, '').slice(0, 14)} +0000`

type Listing = { channel: string; startsAt: number; minutes?: number; title?: string; more?: string }

export const xmltvChannel = (id: string, name: string): string =>
  `<channel id="${id}"><display-name>${name}</display-name></channel>`

export const xmltvProgram = ({ channel, startsAt, minutes = 60, title = 'News', more = '' }: Listing): string =>
  `<programme start="${xmltvTime(startsAt)}" stop="${xmltvTime(startsAt + minutes * 60_000)}" channel="${channel}"><title>${title}</title>${more}</programme>`

/** An XMLTV file. */
export const xmltvFile = (...parts: string[]): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<!DOCTYPE tv SYSTEM "xmltv.dtd">\n<tv>\n${parts.join('\n')}\n</tv>\n`

/** One program an hour on each channel, from `from` on. */
export const hourly = (channels: string[], from: number, hours: number): string =>
  channels
    .flatMap((channel) =>
      Array.from({ length: hours }, (_, hour) =>
        xmltvProgram({ channel, startsAt: from + hour * 3_600_000, title: `Hour ${hour}` }),
      ),
    )
    .join('\n')
