import { Parser } from 'htmlparser2'
import { limits } from '#server/limits.ts'
import { type OffsetAt, parseXmltvTime } from '../../time-rules.ts'
import { GuideFailure } from './guide-failure.ts'
import { oneLine, type ProgramTexts, programTexts } from './program-texts.ts'

export type XmltvChannel = { id: string; name: string }
/** A program of the file. Times are seconds since 1970; `endsAt` is null if the file has no end for it. */
export type XmltvProgram = ProgramTexts & { channel: string; startsAt: number; endsAt: number | null }

type Options = {
  /** Returns the UTC offset for times without a zone. */
  offsetAt: OffsetAt
  /** Programs that start before `from`, or not before `until`, are skipped (seconds since 1970). */
  from: number
  until: number
  onChannel: (channel: XmltvChannel) => void
  /** Whether the programs of this channel are used. */
  isWanted: (channel: string) => boolean
  onProgram: (program: XmltvProgram) => void
}
type Attributes = Record<string, string>

const { maxDepth, maxAttributes, maxChannels, maxPrograms, maxPendingChars, fieldChars } = limits.guide

/** The maximum number of cached times. A week has 10,080 minutes. */
const maxCachedTimes = 20_000
/** Longer times are malformed and not cached. */
const maxTimeChars = 40

/**
 * Parses an XMLTV file piece by piece. It tolerates damaged markup: unknown elements are skipped, and unescaped `&` and `<` are text. It never expands
 * entities of a document type. Throws GuideFailure if the file is not XMLTV.
 */
export class XmltvReader {
  /** The number of programs so far, whether or not their channel is wanted. */
  programs = 0
  readonly #options: Options
  readonly #parser: Parser
  #channels = 0
  #depth = 0
  #attributes = 0
  #hasRoot = false
  #isComplete = false
  /** Characters since the parser last called back. They are limited, because the parser keeps an unfinished tag in memory. */
  #pendingChars = 0
  #element: 'channel' | 'programme' | null = null
  #elementDepth = 0
  #elementAttributes: Attributes = {}
  #field = ''
  #fieldSystem = ''
  #text = ''
  #fields: Record<string, string> = {}
  /** The channel attribute of the last program, and the id read from it. Most programs follow another program of the same channel. */
  #channelText: string | undefined
  #channelId = ''
  /** A cache of parsed times: most times occur on several channels, and most programs start when the previous one ends. */
  readonly #times = new Map<string, number | null>()

  constructor(options: Options) {
    this.#options = options
    this.#parser = new Parser(
      {
        onopentag: (name, attributes) => this.#open(name, attributes),
        onclosetag: (name) => this.#close(name),
        onattribute: () => this.#countAttribute(),
        ontext: (text) => this.#addText(text),
        oncomment: () => this.#resetPending(),
        onprocessinginstruction: () => this.#resetPending(),
      },
      { xmlMode: true },
    )
  }

  /** Whether the root element was closed, so the file was not cut off. */
  get isComplete(): boolean {
    return this.#isComplete
  }

  push(text: string): void {
    this.#pendingChars += text.length
    this.#parser.write(text)
    if (this.#pendingChars > maxPendingChars) throw new GuideFailure(this.#hasRoot ? 'too_deep' : 'not_xmltv')
  }

  end(): void {
    const wasClosed = this.#hasRoot && this.#depth === 0
    this.#parser.end()
    this.#isComplete = wasClosed
    if (!this.#hasRoot) throw new GuideFailure('not_xmltv')
  }

  #resetPending(): void {
    this.#pendingChars = 0
  }

  #countAttribute(): void {
    if (++this.#attributes > maxAttributes) throw new GuideFailure('not_xmltv')
  }

  #open(name: string, attributes: Attributes): void {
    this.#resetPending()
    this.#attributes = 0
    this.#depth++
    if (this.#depth > maxDepth) throw new GuideFailure('too_deep')
    if (!this.#hasRoot) {
      if (name !== 'tv') throw new GuideFailure(/^html$/i.test(name) ? 'web_page' : 'not_xmltv')
      this.#hasRoot = true
    } else if (name === 'programme' || name === 'channel') {
      // The end tag of the previous element is missing.
      if (this.#element) this.#finish()
      this.#element = name
      this.#elementDepth = this.#depth
      this.#elementAttributes = attributes
      this.#fields = {}
      this.#field = ''
    } else if (this.#element && this.#depth === this.#elementDepth + 1) {
      this.#field = name === 'subtitles' && attributes.type === 'deaf-signed' ? 'signed' : name
      this.#fieldSystem = attributes.system ?? ''
      this.#text = ''
    }
  }

  #addText(text: string): void {
    this.#resetPending()
    if (this.#field !== '' && this.#text.length < fieldChars)
      this.#text += text.slice(0, fieldChars - this.#text.length)
  }

  #close(name: string): void {
    this.#resetPending()
    if (this.#element && this.#depth === this.#elementDepth + 1 && this.#field !== '') {
      const key = this.#field === 'episode-num' ? `${this.#field} ${this.#fieldSystem}` : this.#field
      // If an element is repeated in several languages, the first is used.
      this.#fields[key] ??= this.#text
      this.#field = ''
    } else if (this.#element && this.#depth === this.#elementDepth && name === this.#element) this.#finish()
    this.#depth--
  }

  #finish(): void {
    const [element, attributes, fields] = [this.#element, this.#elementAttributes, this.#fields]
    this.#element = null
    this.#field = ''
    if (element === 'channel') this.#emitChannel(attributes, fields)
    else this.#emitProgram(attributes, fields)
  }

  #emitChannel(attributes: Attributes, fields: Record<string, string>): void {
    const id = idOf(attributes.id)
    if (id === '') return
    if (++this.#channels > maxChannels) throw new GuideFailure('too_many')
    this.#options.onChannel({ id, name: oneLine(fields['display-name'], 200) })
  }

  #emitProgram(attributes: Attributes, fields: Record<string, string>): void {
    if (++this.programs > maxPrograms) throw new GuideFailure('too_many')
    if (attributes.channel !== this.#channelText) {
      this.#channelText = attributes.channel
      this.#channelId = idOf(attributes.channel)
    }
    const channel = this.#channelId
    if (channel === '' || !this.#options.isWanted(channel)) return
    const { from, until } = this.#options
    const startsAt = this.#timeOf(attributes.start ?? '')
    if (startsAt === null || startsAt < from || startsAt >= until) return
    const endsAt = attributes.stop === undefined || attributes.stop.trim() === '' ? null : this.#timeOf(attributes.stop)
    // If the end is malformed or not after the start, the start may be wrong too.
    if ((endsAt === null && attributes.stop?.trim()) || (endsAt !== null && endsAt <= startsAt)) return
    const texts = programTexts(fields)
    if (texts) this.#options.onProgram({ channel, startsAt, endsAt, ...texts })
  }

  #timeOf(text: string): number | null {
    const known = this.#times.get(text)
    if (known !== undefined) return known
    const time = parseXmltvTime(text, this.#options.offsetAt)
    if (this.#times.size >= maxCachedTimes) this.#times.clear()
    if (text.length <= maxTimeChars) this.#times.set(copyOf(text), time)
    return time
  }
}

/** Returns a copy of a string. A substring would keep the whole piece of the file in memory. */
export const copyOf = (text: string): string => Buffer.from(text).toString()

/** Returns the id of a channel without surrounding spaces; empty if it cannot be stored. */
function idOf(text: string | undefined): string {
  const id = text?.trim() ?? ''
  return id.length <= 200 && oneLine(id, 200) === id ? id : ''
}
