import type { AnyRouter } from '@tanstack/react-router'
import { currentUser, type User } from '#features/accounts/contract.ts'
import { type FromBrowser, type FromServer, reconnectMs } from '#kit/live.ts'
import { browserMark } from './browser-mark.ts'
import { type DataClient, refresh } from './data.ts'

export type LiveStatus = 'disconnected' | 'connecting' | 'connected' | 'error'

let status: LiveStatus = 'disconnected'
const listeners = new Set<() => void>()
/** For `useSyncExternalStore`: the state of the socket. */
export const liveStatus = {
  get: (): LiveStatus => status,
  onServer: (): LiveStatus => 'disconnected',
  subscribe: (listener: () => void) => {
    listeners.add(listener)
    return () => void listeners.delete(listener)
  },
}
function setStatus(next: LiveStatus): void {
  status = next
  for (const listener of listeners) listener()
}

/**
 * Keeps one socket to the server (specification 4, Real-time connection): reconnects 5 s after a close, says who is signed in,
 * answers pings, reports the page on every navigation and fetches again what the server says has changed.
 */
export function connectLive(client: DataClient, router: AnyRouter): void {
  let socket: WebSocket | undefined
  let known: number | null = null
  let role = client.getQueryData<User | null>([currentUser.id])?.role
  let hasConnected = false
  const userNow = () => client.getQueryData<User | null>([currentUser.id]) ?? null
  const say = (message: FromBrowser) => {
    if (socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify(message))
  }
  const sayPage = () => say({ type: 'page', path: location.pathname, browser: mark() })
  const mark = browserMark(sayPage)
  const open = () => {
    setStatus('connecting')
    const current = new WebSocket(`${location.protocol === 'https:' ? 'wss' : 'ws'}://${location.host}/ws`)
    socket = current
    current.onopen = () => {
      setStatus('connected')
      const user = userNow()
      known = user?.id ?? null
      if (user)
        say({
          type: 'auth',
          auth: true,
          userId: user.id,
          username: user.username,
          ...(!hasConnected && { loadedMsAgo: performance.now() }),
        })
      sayPage()
      // What happened while the line was down was not heard: whatever belongs to this user is asked for again.
      // Whose session ended meanwhile is led to the login by the page's own guard.
      if (hasConnected && user)
        void refetchOwn(client).then(() => (userNow() === null ? router.invalidate() : undefined))
      hasConnected = true
    }
    current.onmessage = (event) => {
      const message = read(event.data)
      if (message?.type === 'ping') say({ type: 'pong', timestamp: Date.now() })
      if (message?.type === 'changed')
        void (message.endpoints.length > 0 ? refresh(client, message.endpoints) : refetchOwn(client))
    }
    current.onerror = () => setStatus('error')
    current.onclose = () => {
      if (socket !== current) return
      if (status !== 'error') setStatus('disconnected')
      setTimeout(open, known === (userNow()?.id ?? null) ? reconnectMs() : 0)
    }
  }
  open()
  router.subscribe('onResolved', sayPage)
  // Of several tabs the one that is looked at counts.
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible') sayPage()
  })
  // The socket's user is the cookie's user at the upgrade: signing in or out needs a new one.
  client.getQueryCache().subscribe((event) => {
    if (event.query.queryKey[0] !== currentUser.id || event.type !== 'updated') return
    const user = userNow()
    if ((user?.id ?? null) !== known) socket?.close()
    // Whose role changed under an open page is led where they may be now.
    else if (user && user.role !== role) void router.invalidate()
    role = user?.role
  })
}

const refetchOwn = (client: DataClient): Promise<void> =>
  client.invalidateQueries({
    predicate: (q) => !String(q.queryKey[0]).match(/\/(plans|channels|faqs|device-categories|site)$/),
  })

/** A message of our own server; what cannot be read is only logged (specification 8). */
function read(data: unknown): FromServer | undefined {
  try {
    return JSON.parse(String(data)) as FromServer
  } catch (error) {
    console.warn('A message from the server could not be read', error)
    return undefined
  }
}
