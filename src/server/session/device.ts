import Bowser from 'bowser'
import { deviceText } from '#kit/device-name.ts'

const kinds = ['desktop', 'mobile', 'tablet', 'tv'] as const
type Device = { browser: string | null; system: string | null; type: (typeof kinds)[number] | 'other' }
type Reading = Device & { name: string }

const known = new Map<string, Reading>()
const most = 2_000
const browsers = new Set(Object.values(Bowser.BROWSER_MAP))

/** Browser with its version, system and kind of device by the name a browser sends; what it does not tell is null, and the kind `other`. */
export function deviceOf(userAgent: string): Device {
  const { browser, system, type } = reading(userAgent)
  return { browser, system, type }
}

/**
 * What to call a device: `Chrome on Windows`. Without versions, so that an update does not make another device of it, and in the
 * words of the parser alone: it goes into mails, where nobody who logs in shall write.
 */
export const deviceName = (userAgent: string): string => reading(userAgent).name

function reading(userAgent: string): Reading {
  const before = known.get(userAgent)
  if (before) return before
  const read = parsed(userAgent)
  if (known.size >= most) known.clear()
  known.set(userAgent, read)
  return read
}

const nameless = 'An unknown device'

function parsed(userAgent: string): Reading {
  // The parser throws on an empty name.
  if (userAgent.trim() === '') return { browser: null, system: null, type: 'other', name: nameless }
  const { browser, os, platform } = Bowser.parse(userAgent)
  const named = browser.name && browsers.has(browser.name) ? browser.name.replace(/ for Android$/, '') : null
  const system = os.name || null
  const bearer = platform.vendor === 'Apple' && platform.model ? platform.model : system
  return {
    browser: [browser.name, browser.version?.split('.')[0]].filter(Boolean).join(' ') || program(userAgent),
    system,
    type: kinds.find((kind) => kind === platform.type) ?? 'other',
    name: named || bearer ? deviceText({ browser: named, system: bearer }) : nameless,
  }
}

/** `curl 8` of `curl/8.5.0`: what no browser is mostly names itself so. */
function program(userAgent: string): string | null {
  const [, name, version] = /^([\w.-]+)(?:\/v?(\d+))?/.exec(userAgent) ?? []
  return name ? [name, version].filter(Boolean).join(' ') : null
}
