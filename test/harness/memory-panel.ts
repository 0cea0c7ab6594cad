import type {
  LineResult,
  NewLine,
  PanelFailure,
  PanelLine,
  ProvisioningPanel,
  Refusal,
} from '#features/provisioning/server/panels/port.ts'

/** How a call fails. `down`: the panel cannot be reached. `lost`: the panel does nothing and sends no response. `silent`: it acts, but sends no response. */
type Fault = 'down' | 'lost' | 'silent' | { refusal: Refusal }
type Call = 'createLine' | 'extendLine' | 'setConnections' | 'setEnabled' | 'getLine' | 'listLines'

export type MemoryPanel = ProvisioningPanel & {
  lines: PanelLine[]
  /** Every call, in order, without secrets. */
  calls: string[]
  /** The highest number of concurrent calls. */
  mostAtOnce: number
  faults: Partial<Record<Call, Fault[]>>
  isDown: boolean
  onCall: ((call: Call) => void | Promise<void>) | undefined
}
type Options = { kind?: ProvisioningPanel['kind']; can?: Partial<ProvisioningPanel['can']>; periodDays?: number }

const all: ProvisioningPanel['can'] = {
  setConnections: true,
  idempotent: false,
}
const dayMs = 86_400_000

/** A panel in memory, with injectable faults. Usernames are unique; with `periodDays` it sells periods of that length. */
export function memoryPanel({ kind = 'xui-admin', can = {}, periodDays }: Options = {}): MemoryPanel {
  let number = 100
  let atOnce = 0
  const taken = new Map<string, PanelLine>()
  const later = (from: string | null) =>
    new Date(Math.max(Date.parse(from ?? '') || 0, Date.now()) + periodDays! * dayMs).toISOString()

  const write = async (call: Call, description: string, change: () => PanelLine | Refusal): Promise<LineResult> => {
    const fault = await begin(call, description)
    try {
      if (panel.isDown || fault === 'down')
        return { outcome: 'unknown', message: 'The panel cannot be reached', nothingSent: true }
      if (fault === 'lost') return { outcome: 'unknown', message: 'The panel did not answer in time' }
      if (typeof fault === 'object')
        return { outcome: 'rejected', refusal: fault.refusal, message: `The panel refused: ${fault.refusal}` }
      const changed = change()
      if (typeof changed === 'string')
        return { outcome: 'rejected', refusal: changed, message: `The panel refused: ${changed}` }
      return fault === 'silent'
        ? { outcome: 'unknown', message: 'The answer of the panel could not be read' }
        : { outcome: 'done', line: { ...changed } }
    } finally {
      atOnce--
    }
  }
  const begin = async (call: Call, description: string): Promise<Fault | undefined> => {
    panel.calls.push(description)
    panel.mostAtOnce = Math.max(panel.mostAtOnce, ++atOnce)
    await panel.onCall?.(call)
    await new Promise((resolve) => setTimeout(resolve, 1))
    return panel.faults[call]?.shift()
  }
  const find = (ref: string) => panel.lines.find((line) => line.lineRef === ref)
  const changed = (ref: string, change: (line: PanelLine) => void): PanelLine | Refusal => {
    const line = find(ref)
    if (line) change(line)
    return line ?? 'not_found'
  }
  const unreachable: PanelFailure = { ok: false, refusal: 'unreachable', message: 'The panel cannot be reached' }

  const panel: MemoryPanel = {
    kind,
    can: { ...all, ...can },
    lines: [],
    calls: [],
    mostAtOnce: 0,
    faults: {},
    isDown: false,
    onCall: undefined,
    testConnection: async () => (panel.isDown ? unreachable : { ok: true, credits: null, panel: 'memory' }),
    listPackages: async () => (panel.isDown ? unreachable : { ok: true, packages: [] }),
    listLines: async () => {
      const fault = await begin('listLines', 'list')
      atOnce--
      if (typeof fault === 'object')
        return { ok: false, refusal: fault.refusal, message: `The panel refused: ${fault.refusal}` }
      return panel.isDown ? unreachable : { ok: true, lines: panel.lines.map((line) => ({ ...line })) }
    },
    createLine: (made: NewLine) =>
      write('createLine', `create ${made.username}`, () => {
        if (panel.can.idempotent && taken.has(made.idempotencyKey)) return taken.get(made.idempotencyKey)!
        if (panel.lines.some((line) => line.username === made.username)) return 'exists'
        const line: PanelLine = {
          lineRef: String(++number),
          username: made.username,
          password: made.password,
          expiresAt: periodDays && !made.trialHours ? later(null) : (made.expiresAt ?? null),
          enabled: true,
          connections: made.connections,
          trial: made.trialHours !== undefined,
        }
        panel.lines.push(line)
        taken.set(made.idempotencyKey, line)
        return line
      }),
    extendLine: ({ lineRef, until }) =>
      write('extendLine', `extend ${lineRef}`, () =>
        changed(lineRef, (line) => {
          line.expiresAt = periodDays ? later(line.expiresAt) : until
          line.trial = false
        }),
      ),
    setConnections: ({ lineRef, connections }) =>
      write('setConnections', `connections ${lineRef} ${connections}`, () =>
        changed(lineRef, (line) => {
          line.connections = connections
        }),
      ),
    setEnabled: (lineRef, enabled) =>
      write('setEnabled', `${enabled ? 'enable' : 'disable'} ${lineRef}`, () =>
        changed(lineRef, (line) => {
          line.enabled = enabled
        }),
      ),
    getLine: async ({ lineRef, username, password }) => {
      const fault = await begin('getLine', 'get')
      atOnce--
      if (panel.isDown || fault === 'down') return unreachable
      if (fault) return { ok: false, refusal: 'unreadable', message: 'The answer of the panel could not be read' }
      const line = lineRef
        ? find(lineRef)
        : panel.lines.find((each) => each.username === username && (!password || each.password === password))
      return { ok: true, line: line ? { ...line } : null }
    },
  }
  return panel
}
