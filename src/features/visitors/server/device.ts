import Bowser from 'bowser'
import type { Device } from '../contract.ts'

const known = new Map<string, Device>()
const most = 2_000

/** Browser, system and kind of device by the name a browser sends; what it does not tell is null, and the kind `other`. */
export function deviceOf(userAgent: string): Device {
  const before = known.get(userAgent)
  if (before) return before
  const device = parsed(userAgent)
  if (known.size >= most) known.clear()
  known.set(userAgent, device)
  return device
}

function parsed(userAgent: string): Device {
  // The parser throws on an empty name.
  if (userAgent.trim() === '') return { browser: null, system: null, type: 'other' }
  const { browser, os, platform } = Bowser.parse(userAgent)
  const type = (['desktop', 'mobile', 'tablet', 'tv'] as const).find((kind) => kind === platform.type) ?? 'other'
  const named = [browser.name, browser.version?.split('.')[0]].filter(Boolean).join(' ')
  return { browser: named || program(userAgent), system: os.name || null, type }
}

/** `curl 8` of `curl/8.5.0`: what no browser is mostly names itself so. */
function program(userAgent: string): string | null {
  const [, name, version] = /^([\w.-]+)(?:\/v?(\d+))?/.exec(userAgent) ?? []
  return name ? [name, version].filter(Boolean).join(' ') : null
}
