import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useLocation } from '@tanstack/react-router'
import { useEffect, useSyncExternalStore } from 'react'
import { listPresent, type PresentAdministrator, reportPresence } from '#features/desk/admin-presence-contract.ts'
import { callOf, query } from '#web/data.ts'
import { openedItem } from '#web/ui/opened-item.ts'
import { useIsIdle } from './use-is-idle.ts'

const repeatMs = 25_000
const none: readonly PresentAdministrator[] = []

/**
 * Reports the page and the item that are open to the other administrators: after changes, and regularly while the tab is visible. Returns the other
 * administrators. No event is sent when an item becomes free, so the list is also polled.
 */
export function usePresence(): readonly PresentAdministrator[] {
  const client = useQueryClient()
  const path = useLocation({ select: ({ pathname }) => pathname })
  const item = useSyncExternalStore(openedItem.subscribe, openedItem.get, openedItem.onServer)
  const isIdle = useIsIdle()
  const { data } = useQuery({ ...query(listPresent), enabled: isIdle, refetchInterval: repeatMs })
  useEffect(() => {
    if (!isIdle) return
    const report = () => {
      // While the user leaves the admin area, `path` is already that of the next page. Errors are ignored: reports are repeated, and no decision depends on
      // them.
      if (document.visibilityState === 'visible' && path.startsWith('/admin'))
        callOf(client)(reportPresence, { body: { path, item } }).catch(() => undefined)
    }
    report()
    const repeating = setInterval(report, repeatMs)
    document.addEventListener('visibilitychange', report)
    return () => {
      clearInterval(repeating)
      document.removeEventListener('visibilitychange', report)
    }
  }, [client, path, item, isIdle])
  return data ?? none
}
