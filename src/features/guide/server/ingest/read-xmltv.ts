import { Parser } from 'htmlparser2'
import { limits } from '#server/limits.ts'
import { type OffsetAt, parseXmltvTime } from '../../time-rules.ts'
import { GuideFailure } from './failure.ts'
import { oneLine, type ProgramTexts, programTexts } from './program-texts.ts'

export type XmltvChannel = { id: string; name: string }
/** A program of the file; times in seconds since 1970. `endsAt` is null if the file does not say when it ends. */
export type XmltvProgram = ProgramTexts & { channel: string; startsAt: number; endsAt: number | null }

type Options = {
  /** The zone of times that are written without one. */
  offsetAt: OffsetAt
  /** Programs that start earlier, or not before `until`, are skipped (seconds since 1970). */
  from: number
  until: number
  onChannel: (channel: XmltvChannel) => void
  /** Whether the programs of this channel are used. */
  isWanted: (channel: string) => boolean
  onProgram: (program: XmltvProgram) => void
}
type Attributes = Record<string, string>

const { mostDepth, mostAttributes, mostChannels, mostPrograms, silentChars, fieldChars } = limits.guide

/**
 * Reads an XMLTV file piece by piece. Damaged markup is read as far as it makes sense: unknown elements are skipped, and unescaped `&` and `<` are text.
 * Entities of a document type are never expanded. Throws GuideFailure for what is no XMLTV file.
 */
export class XmltvReader {
  /** Programs read, whether or not their channel is wanted. */
  programs = 0
  readonly #options: Options
  readonly #parser: Parser
  #channels = 0
  #depth = 0
  #attributes = 0
  #hasRoot = false
  #isComplete = false
  /** Characters since the parser last found something: it keeps an unfinished tag in memory. */
  #silent = 0
  #element: 'channel' | 'programme' | null = null
  #elementDepth = 0
  #own: Attributes = {}
  #field = ''
  #fieldSystem = ''
  #text = ''
  #fields: Record<string, string> = {}

  constructor(options: Options) {
    this.#options = options
    this.#parser = new Parser(
      {
        onopentag: (name, attributes) => this.#open(name, attributes),
        onclosetag: (name) => this.#close(name),
        onattribute: () => this.#count(),
        ontext: (text) => this.#read(text),
        oncomment: () => this.#heard(),
        onprocessinginstruction: () => this.#heard(),
      },
      { xmlMode: true },
    )
  }

  /** Whether the end of the file was there. */
  get isComplete(): boolean {
    return this.#isComplete
  }

  push(text: string): void {
    this.#silent += text.length
    this.#parser.write(text)
    if (this.#silent > silentChars) throw new GuideFailure(this.#hasRoot ? 'too_deep' : 'not_xmltv')
  }

  end(): void {
    const wasClosed = this.#hasRoot && this.#depth === 0
    this.#parser.end()
    this.#isComplete = wasClosed
    if (!this.#hasRoot) throw new GuideFailure('not_xmltv')
  }

  #heard(): void {
    this.#silent = 0
  }

  #count(): void {
    if (++this.#attributes > mostAttributes) throw new GuideFailure('not_xmltv')
  }

  #open(name: string, attributes: Attributes): void {
    this.#heard()
    this.#attributes = 0
    this.#depth++
    if (this.#depth > mostDepth) throw new GuideFailure('too_deep')
    if (!this.#hasRoot) {
      if (name !== 'tv') throw new GuideFailure(/^html$/i.test(name) ? 'web_page' : 'not_xmltv')
      this.#hasRoot = true
    } else if (name === 'programme' || name === 'channel') {
      // The end of the one before is missing.
      if (this.#element) this.#finish()
      this.#element = name
      this.#elementDepth = this.#depth
      this.#own = attributes
      this.#fields = {}
      this.#field = ''
    } else if (this.#element && this.#depth === this.#elementDepth + 1) {
      this.#field = name
      this.#fieldSystem = attributes.system ?? ''
      this.#text = ''
    }
  }

  #read(text: string): void {
    this.#heard()
    if (this.#field !== '' && this.#text.length < fieldChars)
      this.#text += text.slice(0, fieldChars - this.#text.length)
  }

  #close(name: string): void {
    this.#heard()
    if (this.#element && this.#depth === this.#elementDepth + 1 && this.#field !== '') {
      const key = this.#field === 'episode-num' ? `${this.#field} ${this.#fieldSystem}` : this.#field
      // Of several languages, the first.
      this.#fields[key] ??= this.#text
      this.#field = ''
    } else if (this.#element && this.#depth === this.#elementDepth && name === this.#element) this.#finish()
    this.#depth--
  }

  #finish(): void {
    const [element, own, fields] = [this.#element, this.#own, this.#fields]
    this.#element = null
    this.#field = ''
    if (element === 'channel') this.#channel(own, fields)
    else this.#program(own, fields)
  }

  #channel(own: Attributes, fields: Record<string, string>): void {
    const id = idOf(own.id)
    if (id === '') return
    if (++this.#channels > mostChannels) throw new GuideFailure('too_many')
    this.#options.onChannel({ id, name: oneLine(fields['display-name'], 200) })
  }

  #program(own: Attributes, fields: Record<string, string>): void {
    if (++this.programs > mostPrograms) throw new GuideFailure('too_many')
    const channel = idOf(own.channel)
    if (channel === '' || !this.#options.isWanted(channel)) return
    const { offsetAt, from, until } = this.#options
    const startsAt = parseXmltvTime(own.start ?? '', offsetAt)
    if (startsAt === null || startsAt < from || startsAt >= until) return
    const endsAt = own.stop === undefined || own.stop.trim() === '' ? null : parseXmltvTime(own.stop, offsetAt)
    // An end that is unreadable or not after the start makes the start doubtful too.
    if ((endsAt === null && own.stop?.trim()) || (endsAt !== null && endsAt <= startsAt)) return
    const texts = programTexts(fields)
    if (texts) this.#options.onProgram({ channel, startsAt, endsAt, ...texts })
  }
}

/** An id of a channel; empty for one that cannot be stored. */
function idOf(text: string | undefined): string {
  const id = text?.trim() ?? ''
  return id.length <= 200 && oneLine(id, 200) === id ? id : ''
}
