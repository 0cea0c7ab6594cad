/** Why a panel refused a request. Nothing was changed, and the same request would be refused again. */
export type Refusal = 'auth' | 'credits' | 'exists' | 'package' | 'no_trials' | 'invalid' | 'unsupported' | 'not_found'

/** A line as the panel reports it. `expiresAt` is null for a line that never expires; `connections` is null if there is no limit or the limit is unknown. */
export type PanelLine = {
  lineRef: string
  username: string
  password: string | null
  expiresAt: string | null
  enabled: boolean
  connections: number | null
  trial: boolean
}

/**
 * `rejected`: nothing was changed. `unknown`: the request may have taken effect; read the line to find out, and do not repeat the request. Messages contain no
 * secrets.
 */
export type LineResult =
  | { outcome: 'done'; line: PanelLine }
  | { outcome: 'rejected'; refusal: Refusal; message: string }
  /** `nothingSent`: no request for a change reached the panel, so the operation may be repeated. */
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

/** A line's own credentials. `xc-api` and `panel-api` identify a line only by these. */
export type LineCredentials = { username: string; password: string }

/** The port to an operator's panel of any type. Each call ends within six seconds and does not throw if the panel fails. */
export type ProvisioningPanel = {
  readonly kind: 'xc-api' | 'xui-admin' | 'xui-reseller' | 'onestream' | 'panel-api' | 'ministra'
  readonly can: {
    setConnections: boolean
    /** Whether the panel executes requests with the same idempotency key only once. */
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
  /** Finds a line by its reference or its credentials; `line` is null if the panel has no such line. */
  getLine(lookup: {
    lineRef?: string
    username?: string
    password?: string
  }): Promise<{ ok: true; line: PanelLine | null } | PanelFailure>
}
