import { apiNotFoundError, PanelError } from './errors.ts'
import { asPanelError, type PanelConnection, PanelSession } from './http.ts'
import type {
  LineCredentials,
  LineResult,
  NewLine,
  PanelFailure,
  PanelLine,
  PanelPackage,
  ProvisioningPanel,
} from './port.ts'
import { refusalError } from './refusals.ts'

type Extension = Parameters<ProvisioningPanel['extendLine']>[0]
type Connections = Parameters<ProvisioningPanel['setConnections']>[0]
type Which = Parameters<ProvisioningPanel['getLine']>[0]

/** How one make of panel is spoken to: each answers or throws PanelTrouble. What is left out, the panel cannot do. */
export type PanelAdapter = Pick<ProvisioningPanel, 'kind' | 'can'> & {
  test: (op: PanelSession) => Promise<{ credits: number | null; panel: string | null }>
  packages?: (op: PanelSession) => Promise<PanelPackage[]>
  lines?: (op: PanelSession) => Promise<PanelLine[]>
  create: (op: PanelSession, line: NewLine) => Promise<PanelLine>
  extend?: (op: PanelSession, change: Extension) => Promise<PanelLine>
  connections?: (op: PanelSession, change: Connections) => Promise<PanelLine>
  enable?: (op: PanelSession, lineRef: string, enabled: boolean, credentials?: LineCredentials) => Promise<PanelLine>
  /** The line as it was. */
  terminate?: (op: PanelSession, lineRef: string) => Promise<PanelLine>
  find: (op: PanelSession, which: Which) => Promise<PanelLine | null>
}

const hidden = (credentials?: LineCredentials): string[] => (credentials ? [credentials.password] : [])

/** The port over a dialect: every outcome is told, none is thrown, and no message holds a secret. */
export function panelClient(dialect: PanelAdapter, way: PanelConnection): ProvisioningPanel {
  async function read<T extends object>(
    work: (op: PanelSession) => Promise<T>,
    secrets: string[] = [],
  ): Promise<({ ok: true } & T) | PanelFailure> {
    const op = new PanelSession(way, secrets)
    try {
      return { ok: true, ...(await work(op)) }
    } catch (error) {
      const { refusal, message } = asPanelError(error)
      return { ok: false, refusal, message: op.redact(message) }
    }
  }

  async function write(
    work: ((op: PanelSession) => Promise<PanelLine>) | undefined,
    secrets: string[] = [],
  ): Promise<LineResult> {
    const op = new PanelSession(way, secrets)
    try {
      if (!work) throw refusalError('unsupported')
      return { outcome: 'done', line: await work(op) }
    } catch (error) {
      const { refusal, message } = asPanelError(error)
      const masked = op.redact(message)
      if (op.changed || refusal === 'unreachable' || refusal === 'unreadable')
        return { outcome: 'unknown', message: masked, ...(!op.reached && { nothingSent: true as const }) }
      return { outcome: 'rejected', refusal, message: masked }
    }
  }

  const { packages, lines, create, extend, connections, enable, terminate, find } = dialect
  /** A question about no line in particular: what is not found then is the API. */
  const general =
    <T>(work: (op: PanelSession) => Promise<T>) =>
    (op: PanelSession): Promise<T> =>
      work(op).catch((error: unknown) => {
        throw error instanceof PanelError && error.refusal === 'not_found' ? apiNotFoundError() : error
      })
  const orNone = <T>(work: ((op: PanelSession) => Promise<T>) | undefined) =>
    work ?? (() => Promise.reject(refusalError('unsupported')))
  return {
    kind: dialect.kind,
    can: dialect.can,
    testConnection: () => read(general((op) => dialect.test(op))),
    listPackages: () => read(general(async (op) => ({ packages: await orNone(packages)(op) }))),
    listLines: () => read(general(async (op) => ({ lines: await orNone(lines)(op) }))),
    createLine: (made) => write((op) => create(op, made), [made.password]),
    extendLine: (change) => write(extend && ((op) => extend(op, change)), hidden(change.credentials)),
    setConnections: (change) => write(connections && ((op) => connections(op, change)), hidden(change.credentials)),
    setEnabled: (lineRef, enabled, credentials) =>
      write(enable && ((op) => enable(op, lineRef, enabled, credentials)), hidden(credentials)),
    terminateLine: (lineRef) => write(terminate && ((op) => terminate(op, lineRef))),
    getLine: (which) => read(async (op) => ({ line: await find(op, which) }), which.password ? [which.password] : []),
  }
}
