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
type Lookup = Parameters<ProvisioningPanel['getLine']>[0]

/** The API of one panel type. Each function throws `PanelError` if the panel fails or refuses. If a function is missing, the panel type does not support it. */
export type PanelAdapter = Pick<ProvisioningPanel, 'kind' | 'can'> & {
  test: (session: PanelSession) => Promise<{ credits: number | null; panel: string | null }>
  packages?: (session: PanelSession) => Promise<PanelPackage[]>
  lines?: (session: PanelSession) => Promise<PanelLine[]>
  create: (session: PanelSession, line: NewLine) => Promise<PanelLine>
  extend?: (session: PanelSession, change: Extension) => Promise<PanelLine>
  connections?: (session: PanelSession, change: Connections) => Promise<PanelLine>
  enable?: (
    session: PanelSession,
    lineRef: string,
    enabled: boolean,
    credentials?: LineCredentials,
  ) => Promise<PanelLine>
  find: (session: PanelSession, lookup: Lookup) => Promise<PanelLine | null>
}

const secretsOf = (credentials?: LineCredentials): string[] => (credentials ? [credentials.password] : [])

/** Implements the port with an adapter: turns thrown `PanelError`s into results and removes secrets from their messages. */
export function panelClient(adapter: PanelAdapter, connection: PanelConnection): ProvisioningPanel {
  async function read<T extends object>(
    work: (session: PanelSession) => Promise<T>,
    secrets: string[] = [],
  ): Promise<({ ok: true } & T) | PanelFailure> {
    const session = new PanelSession(connection, secrets)
    try {
      return { ok: true, ...(await work(session)) }
    } catch (error) {
      const { refusal, message } = asPanelError(error)
      return { ok: false, refusal, message: session.redact(message) }
    }
  }

  async function write(
    work: ((session: PanelSession) => Promise<PanelLine>) | undefined,
    secrets: string[] = [],
  ): Promise<LineResult> {
    const session = new PanelSession(connection, secrets)
    try {
      if (!work) throw refusalError('unsupported')
      return { outcome: 'done', line: await work(session) }
    } catch (error) {
      const { refusal, message } = asPanelError(error)
      const redacted = session.redact(message)
      if (session.changed || refusal === 'unreachable' || refusal === 'unreadable')
        return { outcome: 'unknown', message: redacted, ...(!session.reached && { nothingSent: true as const }) }
      return { outcome: 'rejected', refusal, message: redacted }
    }
  }

  const { packages, lines, create, extend, connections, enable, find } = adapter
  /** For calls that do not concern a single line: a "not found" means that the API itself is not at this address. */
  const withoutLine =
    <T>(work: (session: PanelSession) => Promise<T>) =>
    (session: PanelSession): Promise<T> =>
      work(session).catch((error: unknown) => {
        throw error instanceof PanelError && error.refusal === 'not_found' ? apiNotFoundError() : error
      })
  const orUnsupported = <T>(work: ((session: PanelSession) => Promise<T>) | undefined) =>
    work ?? (() => Promise.reject(refusalError('unsupported')))
  return {
    kind: adapter.kind,
    can: adapter.can,
    testConnection: () => read(withoutLine((session) => adapter.test(session))),
    listPackages: () => read(withoutLine(async (session) => ({ packages: await orUnsupported(packages)(session) }))),
    listLines: () => read(withoutLine(async (session) => ({ lines: await orUnsupported(lines)(session) }))),
    createLine: (line) => write((session) => create(session, line), [line.password]),
    extendLine: (change) => write(extend && ((session) => extend(session, change)), secretsOf(change.credentials)),
    setConnections: (change) =>
      write(connections && ((session) => connections(session, change)), secretsOf(change.credentials)),
    setEnabled: (lineRef, enabled, credentials) =>
      write(enable && ((session) => enable(session, lineRef, enabled, credentials)), secretsOf(credentials)),
    getLine: (lookup) =>
      read(async (session) => ({ line: await find(session, lookup) }), lookup.password ? [lookup.password] : []),
  }
}
