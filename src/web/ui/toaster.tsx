import { Toast } from '@base-ui/react/toast'
import { CircleAlert, CircleCheck } from 'lucide-react'
import { useEffect } from 'react'
import { buttonClass } from './button-class.ts'
import type { ToastMessage } from './toast.ts'

const manager = Toast.createToastManager()
const lastingMs = 5000
const followedMs = 3000

let current: string | undefined
let generation = 0

// A toast that ends by itself or by Dismiss calls the next of its batch; one that a newer batch pushed out does not.
function show(messages: readonly ToastMessage[], batch: number): void {
  const [message, ...rest] = messages
  if (!message) return
  current = manager.add({
    title: message.title,
    description: message.description,
    type: message.variant ?? 'default',
    priority: message.variant === 'destructive' ? 'high' : 'low',
    timeout: rest.length > 0 ? followedMs : lastingMs,
    onRemove: () => {
      if (batch === generation) show(rest, batch)
    },
  })
}

/** The visible side of `toast()`: one toast at a time, five seconds, held while hovered or focused. */
export function Toaster({ batch }: { batch: readonly ToastMessage[] }) {
  useEffect(() => {
    generation += 1
    if (current) manager.close(current)
    show(batch, generation)
  }, [batch])

  return (
    <Toast.Provider toastManager={manager} limit={1}>
      <Toast.Portal>
        <Toast.Viewport className="toasts">
          <ToastList />
        </Toast.Viewport>
      </Toast.Portal>
    </Toast.Provider>
  )
}

function ToastList() {
  const { toasts } = Toast.useToastManager()
  return toasts.map((item) => (
    <Toast.Root key={item.id} toast={item} className="toast">
      {item.type === 'destructive' ? <CircleAlert size={20} /> : <CircleCheck size={20} />}
      <div>
        <Toast.Title />
        <Toast.Description />
      </div>
      <Toast.Close className={buttonClass({ variant: 'ghost', size: 'sm' })}>Dismiss</Toast.Close>
    </Toast.Root>
  ))
}
