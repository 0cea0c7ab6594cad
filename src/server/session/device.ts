import Bowser from 'bowser'
import { deviceText } from '#kit/device-name.ts'

const deviceTypes = ['desktop', 'mobile', 'tablet', 'tv'] as const
type Device = { browser: string | null; system: string | null; type: (typeof deviceTypes)[number] | 'other' }
type ParsedDevice = Device & { name: string }

const parsedByUserAgent = new Map<string, ParsedDevice>()
const maxCached = 2_000
const browsers = new Set(Object.values(Bowser.BROWSER_MAP))

/** Parses a User-Agent header into browser with major version, system and device type. Unknown parts are null, an unknown type is `other`. */
export function deviceOf(userAgent: string): Device {
  const { browser, system, type } = cachedParse(userAgent)
  return { browser, system, type }
}

/**
 * The display name of a device: `Chrome on Windows`. It has no version, so that a browser update does not look like a new device, and it
 * contains only the parser's own names, because emails show it and a client must not be able to put text into them.
 */
export const deviceName = (userAgent: string): string => cachedParse(userAgent).name

function cachedParse(userAgent: string): ParsedDevice {
  const cached = parsedByUserAgent.get(userAgent)
  if (cached) return cached
  const device = parse(userAgent)
  if (parsedByUserAgent.size >= maxCached) parsedByUserAgent.clear()
  parsedByUserAgent.set(userAgent, device)
  return device
}

const unknownDevice = 'An unknown device'

function parse(userAgent: string): ParsedDevice {
  // The parser throws on an empty string.
  if (userAgent.trim() === '') return { browser: null, system: null, type: 'other', name: unknownDevice }
  const { browser, os, platform } = Bowser.parse(userAgent)
  const browserName = browser.name && browsers.has(browser.name) ? browser.name.replace(/ for Android$/, '') : null
  const system = os.name || null
  const systemOrModel = platform.vendor === 'Apple' && platform.model ? platform.model : system
  return {
    browser: [browser.name, browser.version?.split('.')[0]].filter(Boolean).join(' ') || programName(userAgent),
    system,
    type: deviceTypes.find((kind) => kind === platform.type) ?? 'other',
    name: browserName || systemOrModel ? deviceText({ browser: browserName, system: systemOrModel }) : unknownDevice,
  }
}

/** `curl 8` for `curl/8.5.0`: most programs that are not browsers use this form. */
function programName(userAgent: string): string | null {
  const [, name, version] = /^([\w.-]+)(?:\/v?(\d+))?/.exec(userAgent) ?? []
  return name ? [name, version].filter(Boolean).join(' ') : null
}
