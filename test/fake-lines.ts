import type { IncomingMessage, ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { adminAction, resellerAction } from './fake-lines-xui.ts'
import { type Fault, faults, html, json, type Mode } from './panel-modes.ts'

export const panelKey = 'key-of-the-panel/+%41'

/** A row as XUI keeps it: nearly everything is text. */
export type LineRow = Record<string, string | null>
type Trouble = { mode: Mode; action?: string | undefined; times: number; acts: boolean }
export type LineCall = { action: string; fields: URLSearchParams }
export type Packages = Record<string, Record<string, string | null>>

export type FakeLines = {
  address: string
  path: string
  /** The lines by their number. */
  rows: Map<string, LineRow>
  packages: Packages
  /** What the reseller has left. */
  credits: number
  calls: LineCall[]
  /** From now on, `times` calls (all of them unless told) end this way; with `acts` the panel did what it was asked and its answer is lost. */
  fail: (mode: Fault | Mode, more?: { action?: string; times?: number; acts?: boolean }) => void
  heal: () => void
  answer: (request: IncomingMessage, response: ServerResponse, canary: string) => Promise<void>
}

const packages = (): Packages => ({
  '7': packageRow('7', 'Full, a month', { official_duration: '1', official_credits: '10', bouquets: '[1,2]' }),
  '8': packageRow('8', 'Full, three months', { official_duration: '3', official_credits: '27', bouquets: '[1,2]' }),
  '9': packageRow('9', 'Everything, a month', { official_duration: '1', official_credits: '15', bouquets: '[1,2,5]', max_connections: '4' }),
  '20': packageRow('20', 'Trial, a day', { is_trial: '1', is_official: '0', trial_duration: '24', bouquets: '[1]', max_connections: '1' }),
})
const packageRow = (id: string, name: string, other: Record<string, string>) => ({
  id,
  package_name: name,
  is_trial: '0',
  is_official: '1',
  trial_credits: '0',
  trial_duration: '24',
  trial_duration_in: 'hours',
  official_credits: '0',
  official_duration: '1',
  official_duration_in: 'months',
  max_connections: '2',
  output_formats: '[1,2]',
  ...other,
})

/** Lines in memory, spoken to in XUI's two dialects. */
export function fakeLines(): FakeLines {
  let troubles: Trouble[] = []
  const panel: FakeLines = {
    address: '',
    path: '/xui/Code42',
    rows: new Map(),
    packages: packages(),
    credits: 1_000,
    calls: [],
    fail: (mode, { action, times = Number.POSITIVE_INFINITY, acts = false } = {}) =>
      void troubles.push({ mode: typeof mode === 'string' ? faults[mode] : mode, action, times, acts }),
    heal: () => {
      troubles = []
    },
    answer: async (request, response, canary) => {
      response.on('error', () => undefined)
      const url = new URL(request.url ?? '', 'http://panel')
      const fields = new URLSearchParams([...url.searchParams, ...new URLSearchParams(await text(request).catch(() => ''))])
      const action = fields.get('action') ?? ''
      panel.calls.push({ action, fields })
      const trouble = troubles.find((each) => each.times > 0 && (each.action === undefined || each.action === action))
      if (trouble) trouble.times--
      const act = url.pathname === `${panel.path}/` ? adminAction : url.pathname === `${panel.path}/reseller/index.php` ? resellerAction : undefined
      const isAllowed = fields.get('api_key') === panelKey
      const acted = act && isAllowed && (!trouble || trouble.acts) ? act(panel, action, fields) : undefined
      if (trouble) trouble.mode(response, canary)
      else if (!act) html(404)(response, '')
      else json((acted as object) ?? { status: 'STATUS_FAILURE', error: 'Invalid API key.' })(response, '')
    },
  }
  return panel
}
