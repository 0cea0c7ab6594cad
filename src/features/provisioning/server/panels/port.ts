/** What a line can be refused for: nothing was made, and sending the same again would not help. */
export type Refusal = 'auth' | 'credits' | 'exists' | 'package' | 'no_trials' | 'invalid' | 'unsupported' | 'not_found'

/** A line as the panel tells it. `expiresAt` is an instant in UTC, null where the line never ends; `connections` null where there is no limit or nothing was said. */
export type PanelLine = {
  lineRef: string
  username: string
  password: string | null
  expiresAt: string | null
  enabled: boolean
  connections: number | null
  trial: boolean
}

/** `rejected`: nothing was made. `unknown`: something may have been made; it is found out by asking, never by sending again. Messages hold no secrets. */
export type LineResult =
  | { outcome: 'done'; line: PanelLine }
  | { outcome: 'rejected'; refusal: Refusal; message: string }
  /** `nothingSent`: the panel was not reached at all, or only asked, so the same wish may be sent again once it is back. */
  | { outcome: 'unknown'; message: string; nothingSent?: true }

export type PanelFailure = { ok: false; refusal: Refusal | 'unreachable' | 'unreadable'; message: string }
export type PanelPackage = {
  packageRef: string
  name: string
  connections: number | null
  hours: number | null
  credits: number | null
  trial: boolean
}

export type NewLine = {
  idempotencyKey: string
  username: string
  password: string
  packageRef: string
  connections: number
  expiresAt?: string
  trialHours?: number
  note: string
}

/** A line's own credentials: `xc-api` and `panel-api` know a line by nothing else. */
export type LineCredentials = { username: string; password: string }

/** What an operator's panel can be asked for, whatever its make. Each call ends within six seconds and never throws for what a panel does. */
export type ProvisioningPanel = {
  readonly kind: 'xc-api' | 'xui-admin' | 'xui-reseller' | 'onestream' | 'panel-api' | 'ministra'
  readonly can: {
    trial: boolean
    extend: boolean
    suspend: boolean
    terminate: boolean
    setConnections: boolean
    credits: boolean
    idempotent: boolean
  }
  testConnection(): Promise<{ ok: true; credits: number | null; panel: string | null } | PanelFailure>
  listPackages(): Promise<{ ok: true; packages: PanelPackage[] } | PanelFailure>
  listLines(): Promise<{ ok: true; lines: PanelLine[] } | PanelFailure>
  createLine(line: NewLine): Promise<LineResult>
  extendLine(change: {
    idempotencyKey: string
    lineRef: string
    packageRef?: string
    until: string
    credentials?: LineCredentials
  }): Promise<LineResult>
  setConnections(change: {
    idempotencyKey: string
    lineRef: string
    connections: number
    packageRef?: string
    credentials?: LineCredentials
  }): Promise<LineResult>
  setEnabled(lineRef: string, enabled: boolean, credentials?: LineCredentials): Promise<LineResult>
  terminateLine(lineRef: string): Promise<LineResult>
  /** The line by its number or by its credentials; null where the panel knows none. */
  getLine(which: {
    lineRef?: string
    username?: string
    password?: string
  }): Promise<{ ok: true; line: PanelLine | null } | PanelFailure>
}
