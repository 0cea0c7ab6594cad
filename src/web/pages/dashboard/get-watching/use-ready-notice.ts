import { useEffect, useState } from 'react'

export type ReadyNotice = { state: 'unavailable' | 'off' | 'on' | 'refused'; request: () => void }

/** Whether pages can show notifications. Chrome on Android has the `Notification` interface, but there only service workers may use it. */
const isAvailable = () =>
  'Notification' in window && Notification.permission !== 'denied' && !/Android/i.test(navigator.userAgent)

/**
 * Shows a browser notification when the TV login becomes ready while this page is open in the background. The notification does not contain the
 * login. Returns its state, and a function that asks the user for permission.
 */
export function useReadyNotice(isReady: boolean, title: string): ReadyNotice {
  const [state, setState] = useState<ReadyNotice['state']>('unavailable')
  useEffect(() => {
    if (isAvailable()) setState('off')
  }, [])
  useEffect(() => {
    if (!isReady || state !== 'on') return
    setState('off')
    if (!document.hasFocus()) new Notification(title)
  }, [isReady, state, title])
  const request = () =>
    void Notification.requestPermission().then((permission) => setState(permission === 'granted' ? 'on' : 'refused'))
  return { state, request }
}
