import { useSyncExternalStore } from 'react'
import { liveStatus } from '#web/live.ts'

/** Whether the socket stands, so that changes arrive by themselves; where it does not, ask now and then. */
export const useIsLive = (): boolean =>
  useSyncExternalStore(liveStatus.subscribe, liveStatus.get, liveStatus.onServer) === 'connected'
