export interface ToastMessage {
  title: string
  description?: string
  variant?: 'default' | 'destructive'
  /** A button in the toast, such as Undo. A toast with a button stays for ten seconds. */
  action?: { label: string; onPress: () => void } | undefined
}

type Listener = (messages: readonly ToastMessage[]) => void

let listener: Listener | undefined
let waiting: readonly ToastMessage[] = []

/**
 * Shows a toast and replaces the current one. Several messages belong to one action and are shown one after the other,
 * each for at least three seconds (decisions: Screens).
 */
export function toast(...messages: [ToastMessage, ...ToastMessage[]]): void {
  if (listener) listener(messages)
  else waiting = messages
}

/** For the toast outlet: receives every call, including one made before the outlet was mounted. Returns a function that unsubscribes. */
export function onToast(next: Listener): () => void {
  listener = next
  if (waiting.length > 0) next(waiting)
  waiting = []
  return () => {
    if (listener === next) listener = undefined
  }
}
