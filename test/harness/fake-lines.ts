import type { IncomingMessage, ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import type { PanelType } from '#features/provisioning/contract.ts'
import { oneStream } from './fake-lines-onestream.ts'
import { apiKey, type FakePanelType, ministra, type PanelRequest, panelApi, xcApi } from './fake-lines-types.ts'
import { adminAction, resellerAction } from './fake-lines-xui.ts'
import { type Fault, faults, html, json, type Mode } from './panel-modes.ts'

export const panelKey = apiKey

/** A line as XUI stores it: nearly all values are strings. */
export type LineRow = Record<string, string | null>
type PlannedFault = { mode: Mode; action?: string | undefined; times: number; acts: boolean; skip: number }
export type LineCall = { action: string; fields: URLSearchParams; at: number }
export type Packages = Record<string, Record<string, string | null>>

export type FakeLines = {
  address: string
  path: string
  /** The lines by their reference. */
  rows: Map<string, LineRow>
  packages: Packages
  /** The reseller's remaining credits. */
  credits: number
  /** The responses by request id, for the panel type with idempotent requests. */
  responsesByRequestId: Map<string, object>
  calls: LineCall[]
  /** The highest number of concurrent calls. */
  mostAtOnce: number
  /** The API address of a panel type. */
  addressOf: (kind: RemotePanelType) => string
  /**
   * Makes the next `times` calls (default: all) after the first `skip` calls fail this way. With `acts` the panel executes the request before the fault occurs.
   */
  fail: (mode: Fault | Mode, more?: { action?: string; times?: number; acts?: boolean; skip?: number }) => void
  heal: () => void
  answer: (request: IncomingMessage, response: ServerResponse, canary: string) => Promise<void>
}

const packages = (): Packages => ({
  '7': packageRow('7', 'Full, a month', { official_duration: '1', official_credits: '10', bouquets: '[1,2]' }),
  '8': packageRow('8', 'Full, three months', { official_duration: '3', official_credits: '27', bouquets: '[1,2]' }),
  '9': packageRow('9', 'Everything, a month', {
    official_duration: '1',
    official_credits: '15',
    bouquets: '[1,2,5]',
    max_connections: '4',
  }),
  '20': packageRow('20', 'Trial, a day', {
    is_trial: '1',
    is_official: '0',
    trial_duration: '24',
    bouquets: '[1]',
    max_connections: '1',
  }),
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

export type RemotePanelType = Exclude<PanelType, 'manual'>
const xui = (act: typeof adminAction): FakePanelType => ({
  action: ({ fields }) => fields.get('action') ?? '',
  isAllowed: ({ fields }) => fields.get('api_key') === panelKey,
  unauthorized: { status: 200, body: { status: 'STATUS_FAILURE', error: 'Invalid API key.' } },
  act: (panel, action, { fields }) => ({ status: 200, body: act(panel, action, fields) as object }),
})
/** The path of each panel type's API below the panel's address, and of the files in it. */
const panelTypes: Record<RemotePanelType, FakePanelType & { at: string; file: string }> = {
  'xui-admin': { ...xui(adminAction), at: '', file: '/' },
  'xui-reseller': { ...xui(resellerAction), at: '/reseller/index.php', file: '' },
  'xc-api': { ...xcApi, at: '/xc', file: '/api.php' },
  onestream: { ...oneStream, at: '/one', file: '/ext/' },
  'panel-api': { ...panelApi, at: '/generic/api.php', file: '' },
  ministra: { ...ministra, at: '/portal', file: '/stalker_portal/api/' },
}

function panelTypeAt(path: string): { type: FakePanelType; path: string } | undefined {
  for (const type of Object.values(panelTypes)) {
    const rest = path.startsWith(type.at) ? path.slice(type.at.length) : undefined
    if (rest !== undefined && (/[^/]\/$/.test(type.file) ? rest.startsWith(type.file) : rest === type.file))
      return { type, path: rest }
  }
  return undefined
}

async function parseRequest(request: IncomingMessage, path: string): Promise<PanelRequest> {
  const url = new URL(request.url ?? '', 'http://panel')
  const body = await text(request).catch(() => '')
  const isJson = request.headers['content-type'] === 'application/json'
  const fields = new URLSearchParams([...url.searchParams, ...new URLSearchParams(isJson ? '' : body)])
  return {
    method: request.method ?? 'GET',
    path,
    headers: request.headers,
    fields,
    json: isJson ? JSON.parse(body || '{}') : {},
  }
}

/** Lines in memory, behind the APIs of all panel types. */
export function fakeLines(): FakeLines {
  let troubles: PlannedFault[] = []
  let atOnce = 0
  const panel: FakeLines = {
    address: '',
    path: '/xui/Code42',
    rows: new Map(),
    packages: packages(),
    credits: 1_000,
    responsesByRequestId: new Map(),
    calls: [],
    mostAtOnce: 0,
    addressOf: (kind) => panel.address + panelTypes[kind].at,
    fail: (mode, { action, times = Number.POSITIVE_INFINITY, acts = false, skip = 0 } = {}) =>
      void troubles.push({ mode: typeof mode === 'string' ? faults[mode] : mode, action, times, acts, skip }),
    heal: () => {
      troubles = []
    },
    answer: async (request, response, canary) => {
      response.on('error', () => undefined)
      panel.mostAtOnce = Math.max(panel.mostAtOnce, ++atOnce)
      response.on('close', () => atOnce--)
      const found = panelTypeAt(new URL(request.url ?? '', 'http://panel').pathname.slice(panel.path.length))
      const panelRequest = await parseRequest(request, found?.path ?? '')
      const action = found?.type.action(panelRequest) ?? ''
      panel.calls.push({ action, fields: panelRequest.fields, at: Date.now() })
      const activeFault = troubles.find(
        (each) => each.times > 0 && (each.action === undefined || each.action === action),
      )
      const isOver = activeFault && activeFault.skip-- > 0
      const mode = isOver ? undefined : activeFault?.mode
      if (activeFault && mode) activeFault.times--
      const isAllowed = found?.type.isAllowed(panelRequest)
      const acted =
        found && isAllowed && (!mode || activeFault?.acts) ? found.type.act(panel, action, panelRequest) : undefined
      const { body, status } = acted ?? found?.type.unauthorized ?? { body: {}, status: 404 }
      if (mode) mode(response, canary)
      else if (!found) html(404)(response, '')
      else json(body, status)(response, '')
    },
  }
  return panel
}
