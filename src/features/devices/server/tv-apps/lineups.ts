import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { WatchChannel } from '#features/watch/contract.ts'
import { readWatchChannels } from '#features/watch/server/plays/read-watch.ts'
import type { AppContext } from '#server/http/route.ts'

const gzipAsync = promisify(gzip)
/**
 * How long a lineup is used. No notification is sent when a right begins or ends with the day, so lineups are read again after this time. Each play
 * also checks the rights.
 */
const maxAgeMs = 60_000
const maxCountries = 20

/** A channel that can be played. `num` is the channel number for apps, which require one: that of the channel, otherwise a number after the highest. */
type AppChannel = Pick<WatchChannel, 'id' | 'name' | 'category' | 'logo' | 'number' | 'archiveHours'> & { num: number }
/** A list as JSON and as gzipped JSON, ready to be sent. */
export class StoredList {
  readonly json: Uint8Array<ArrayBuffer>
  readonly gzipped: Uint8Array<ArrayBuffer>
  constructor(json: Buffer, gzipped: Buffer) {
    this.json = new Uint8Array(json)
    this.gzipped = new Uint8Array(gzipped)
  }
}

/** The channels that TV apps list in one country, and the lists and texts generated from them. */
export class Lineup {
  readonly channels: readonly AppChannel[]
  readonly digest: string
  readonly #lists = new Map<string, Promise<StoredList>>()
  readonly #texts = new Map<string, string>()

  constructor(channels: readonly AppChannel[]) {
    this.channels = channels
    this.digest = createHash('sha256').update(JSON.stringify(channels)).digest('base64')
  }

  /** Returns the list of this name. The first call generates it with `make`; later calls return the stored list. */
  list(name: string, make: () => unknown): Promise<StoredList> {
    const known = this.#lists.get(name)
    if (known !== undefined) return known
    const json = Buffer.from(JSON.stringify(make()))
    const list = gzipAsync(json).then((gzipped) => new StoredList(json, gzipped))
    this.#lists.set(name, list)
    return list
  }

  /** Returns the text of this name. The first call generates it with `make`; later calls return the stored text. */
  text(name: string, make: () => string): string {
    const text = this.#texts.get(name) ?? make()
    this.#texts.set(name, text)
    return text
  }
}

type Entry = { lineup: Promise<Lineup>; generation: number; until: number }

/**
 * Keeps the lineups of TV apps in memory, because apps request their lists at each start. The channels are the same for all customers in a country.
 * They are read again after each change of public data, and after a minute. Countries with identical channels share one lineup with its generated
 * lists, and it is kept while the channels do not change.
 */
export class Lineups {
  readonly #context: Pick<AppContext, 'db' | 'cacheGeneration'>
  readonly #entries = new Map<string, Entry>()
  /** The lineup that was last read for each country in `#entries`. */
  readonly #lineups = new Map<string, Lineup>()

  constructor(context: Pick<AppContext, 'db' | 'cacheGeneration'>) {
    this.#context = context
  }

  /** Returns the lineup for a country code; null means an unknown country. */
  in(country: string | null): Promise<Lineup> {
    const key = country ?? ''
    const known = this.#entries.get(key)
    const generation = this.#context.cacheGeneration()
    if (known?.generation === generation && performance.now() < known.until) return known.lineup
    const lineup = this.#read(country)
    // Evicts the country that was read longest ago if the map is full.
    this.#entries.delete(key)
    const [oldest] = this.#entries.keys()
    if (oldest !== undefined && this.#entries.size >= maxCountries) {
      this.#entries.delete(oldest)
      this.#lineups.delete(oldest)
    }
    this.#entries.set(key, { lineup, generation, until: performance.now() + maxAgeMs })
    lineup.then(
      (read) => this.#entries.get(key)?.lineup === lineup && this.#lineups.set(key, read),
      // A failure is not cached.
      () => this.#entries.get(key)?.lineup === lineup && this.#entries.delete(key),
    )
    return lineup
  }

  async #read(country: string | null): Promise<Lineup> {
    const read = new Lineup(listed(await readWatchChannels(this.#context.db, country)))
    return [...this.#lineups.values()].find(({ digest }) => digest === read.digest) ?? read
  }
}

/** Returns the playable channels, each with a number. */
function listed(channels: WatchChannel[]): AppChannel[] {
  let last = Math.max(0, ...channels.map(({ number }) => number ?? 0))
  return channels
    .filter(({ blocked }) => blocked === null)
    .map(({ id, name, category, logo, number, archiveHours }) => {
      return { id, name, category, logo, number, archiveHours, num: number ?? ++last }
    })
}
