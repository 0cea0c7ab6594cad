import type { AnyRouter } from '@tanstack/react-router'
import { currentUser, type User } from '#features/accounts/contract.ts'
import { type FromBrowser, type FromServer, reconnectMs } from '#kit/live.ts'
import { browserId } from './browser-id.ts'
import { type DataClient, refresh } from './data.ts'

export type LiveStatus = 'disconnected' | 'connecting' | 'connected' | 'error'

let status: LiveStatus = 'disconnected'
const listeners = new Set<() => void>()
/** The state of the WebSocket, for `useSyncExternalStore`. */
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
 * Keeps one WebSocket to the server (specification 4, Real-time connection): reconnects 5 s after a close, sends the logged-in user,
 * answers pings, reports the path after every navigation and refetches the data that the server reports as changed.
 */
export function connectLive(client: DataClient, router: AnyRouter): void {
  let socket: WebSocket | undefined
  let socketUserId: number | null = null
  let role = client.getQueryData<User | null>([currentUser.id])?.role
  let hasConnected = false
  const cachedUser = () => client.getQueryData<User | null>([currentUser.id]) ?? null
  const send = (message: FromBrowser) => {
    if (socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify(message))
  }
  const sendPage = () => send({ type: 'page', path: location.pathname, browser: browser() })
  const browser = browserId(sendPage)
  const open = () => {
    setStatus('connecting')
    const current = new WebSocket(`${location.protocol === 'https:' ? 'wss' : 'ws'}://${location.host}/ws`)
    socket = current
    current.onopen = () => {
      setStatus('connected')
      const user = cachedUser()
      socketUserId = user?.id ?? null
      if (user)
        send({
          type: 'auth',
          auth: true,
          userId: user.id,
          username: user.username,
          ...(!hasConnected && { loadedMsAgo: performance.now() }),
        })
      sendPage()
      // Change messages are lost while the socket is closed, so all user data is fetched again.
      // If the session has ended, the route guard redirects to the login page.
      if (hasConnected && user)
        void refetchUserData(client).then(() => (cachedUser() === null ? router.invalidate() : undefined))
      hasConnected = true
    }
    current.onmessage = (event) => {
      const message = parseMessage(event.data)
      if (message?.type === 'ping') send({ type: 'pong', timestamp: Date.now() })
      if (message?.type === 'changed')
        void (message.endpoints.length > 0 ? refresh(client, message.endpoints) : refetchUserData(client))
    }
    current.onerror = () => setStatus('error')
    current.onclose = () => {
      if (socket !== current) return
      if (status !== 'error') setStatus('disconnected')
      setTimeout(open, socketUserId === (cachedUser()?.id ?? null) ? reconnectMs() : 0)
    }
  }
  open()
  router.subscribe('onResolved', sendPage)
  // With several tabs open, the visible tab reports its page.
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible') sendPage()
  })
  // The server reads the session cookie at the upgrade only, so a login or logout needs a new socket.
  client.getQueryCache().subscribe((event) => {
    if (event.query.queryKey[0] !== currentUser.id || event.type !== 'updated') return
    const user = cachedUser()
    if ((user?.id ?? null) !== socketUserId) socket?.close()
    // After a role change the route guards run again and redirect from pages that the user may no longer open.
    else if (user && user.role !== role) void router.invalidate()
    role = user?.role
  })
}

const refetchUserData = (client: DataClient): Promise<void> =>
  client.invalidateQueries({
    predicate: (q) => !String(q.queryKey[0]).match(/\/(plans|channels|faqs|device-categories|site)$/),
  })

/** Parses a message from the server. Logs a message that is not JSON and returns undefined (specification 8). */
function parseMessage(data: unknown): FromServer | undefined {
  try {
    return JSON.parse(String(data)) as FromServer
  } catch (error) {
    console.warn('A message from the server could not be read', error)
    return undefined
  }
}
