import { Toast } from '@base-ui/react/toast'
import { CircleAlert, CircleCheck } from 'lucide-react'
import { useEffect } from 'react'
import { buttonClass } from '../button/button-class.ts'
import type { ToastMessage } from './toast.ts'

type Action = NonNullable<ToastMessage['action']>
const manager = Toast.createToastManager<Action>()
const durationMs = 5000
const queuedDurationMs = 3000
const actionDurationMs = 10_000
// Screen readers announce a live region only if it existed before its text was set. This delay is also the gap between two toasts.
const pauseMs = 100

let queue: readonly ToastMessage[] = []
let visible: string | undefined

function showNext(): void {
  const [message, ...rest] = queue
  if (!message || visible) return
  queue = rest
  visible = manager.add({
    title: message.title,
    description: message.description,
    type: message.variant ?? 'default',
    timeout: rest.length > 0 ? queuedDurationMs : message.action ? actionDurationMs : durationMs,
    ...(message.action && { data: message.action }),
    onRemove: () => {
      visible = undefined
      setTimeout(showNext, pauseMs)
    },
  })
}

/** Renders the toasts: one at a time for five seconds, longer while hovered or focused. F6 moves the focus to the toast. */
export function Toaster({ batch }: { batch: readonly ToastMessage[] }) {
  useEffect(() => {
    queue = batch
    if (visible) manager.close(visible)
    else setTimeout(showNext, pauseMs)
  }, [batch])

  return (
    <Toast.Provider toastManager={manager}>
      <Toast.Portal>
        <Toast.Viewport className="toasts">
          <ToastList />
        </Toast.Viewport>
      </Toast.Portal>
    </Toast.Provider>
  )
}

function ToastAction({ action, onDone }: { action: Action; onDone: () => void }) {
  return (
    <button
      type="button"
      className={buttonClass({ variant: 'line', size: 'sm' })}
      onClick={() => {
        onDone()
        action.onPress()
      }}
    >
      {action.label}
    </button>
  )
}

/** Replaces the library's role `dialog`: a toast asks for no decision and does not take the focus. */
const group = { role: 'group', 'aria-modal': undefined }

function ToastList() {
  const { toasts } = Toast.useToastManager<Action>()
  return toasts.map((item) => {
    const failed = item.type === 'destructive'
    return (
      <Toast.Root key={item.id} toast={item} {...group} className="toast">
        {failed ? <CircleAlert size={20} /> : <CircleCheck size={20} />}
        <div role={failed ? 'alert' : undefined}>
          <Toast.Title render={<p />} className="toast-title" />
          <Toast.Description />
        </div>
        {item.data && <ToastAction action={item.data} onDone={() => manager.close(item.id)} />}
        {/* The library hides the button from screen readers while the toast is not hovered, although it can be focused. */}
        <Toast.Close aria-hidden={false} className={buttonClass({ variant: 'ghost', size: 'sm' })}>
          Dismiss
        </Toast.Close>
      </Toast.Root>
    )
  })
}
