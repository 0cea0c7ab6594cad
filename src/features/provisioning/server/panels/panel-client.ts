import type {
  LineCredentials,
  LineResult,
  NewLine,
  PanelFailure,
  PanelLine,
  PanelPackage,
  ProvisioningPanel,
} from './adapter.ts'
import { notAtAddress, PanelTrouble } from './errors.ts'
import { Operation, troubleOf, type Way } from './http.ts'
import { refused } from './refusals.ts'

type Extension = Parameters<ProvisioningPanel['extendLine']>[0]
type Connections = Parameters<ProvisioningPanel['setConnections']>[0]
type Which = Parameters<ProvisioningPanel['getLine']>[0]

/** How one make of panel is spoken to: each answers or throws PanelTrouble. What is left out, the panel cannot do. */
export type Dialect = Pick<ProvisioningPanel, 'kind' | 'can'> & {
  test: (op: Operation) => Promise<{ credits: number | null; panel: string | null }>
  packages?: (op: Operation) => Promise<PanelPackage[]>
  lines?: (op: Operation) => Promise<PanelLine[]>
  create: (op: Operation, line: NewLine) => Promise<PanelLine>
  extend?: (op: Operation, change: Extension) => Promise<PanelLine>
  connections?: (op: Operation, change: Connections) => Promise<PanelLine>
  enable?: (op: Operation, lineRef: string, enabled: boolean, credentials?: LineCredentials) => Promise<PanelLine>
  /** The line as it was. */
  terminate?: (op: Operation, lineRef: string) => Promise<PanelLine>
  find: (op: Operation, which: Which) => Promise<PanelLine | null>
}

const hidden = (credentials?: LineCredentials): string[] => (credentials ? [credentials.password] : [])

/** The port over a dialect: every outcome is told, none is thrown, and no message holds a secret. */
export function speaking(dialect: Dialect, way: Way): ProvisioningPanel {
  async function read<T extends object>(
    work: (op: Operation) => Promise<T>,
    secrets: string[] = [],
  ): Promise<({ ok: true } & T) | PanelFailure> {
    const op = new Operation(way, secrets)
    try {
      return { ok: true, ...(await work(op)) }
    } catch (error) {
      const { refusal, message } = troubleOf(error)
      return { ok: false, refusal, message: op.masked(message) }
    }
  }

  async function write(
    work: ((op: Operation) => Promise<PanelLine>) | undefined,
    secrets: string[] = [],
  ): Promise<LineResult> {
    const op = new Operation(way, secrets)
    try {
      if (!work) throw refused('unsupported')
      return { outcome: 'done', line: await work(op) }
    } catch (error) {
      const { refusal, message } = troubleOf(error)
      const masked = op.masked(message)
      if (op.changed || refusal === 'unreachable' || refusal === 'unreadable')
        return { outcome: 'unknown', message: masked, ...(!op.reached && { nothingSent: true as const }) }
      return { outcome: 'rejected', refusal, message: masked }
    }
  }

  const { packages, lines, create, extend, connections, enable, terminate, find } = dialect
  /** A question about no line in particular: what is not found then is the API. */
  const general =
    <T>(work: (op: Operation) => Promise<T>) =>
    (op: Operation): Promise<T> =>
      work(op).catch((error: unknown) => {
        throw error instanceof PanelTrouble && error.refusal === 'not_found' ? notAtAddress() : error
      })
  const orNone = <T>(work: ((op: Operation) => Promise<T>) | undefined) =>
    work ?? (() => Promise.reject(refused('unsupported')))
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
