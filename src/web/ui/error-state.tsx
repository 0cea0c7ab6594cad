import { CircleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button } from './button/button.tsx'

interface Props {
  title: ReactNode
  /** The error message of the server. */
  message?: ReactNode
  onRetry?: () => void
  retryLabel?: string
  pending?: boolean
  action?: ReactNode
}

export function ErrorState({ title, message, onRetry, retryLabel = 'Retry', pending, action }: Props) {
  return (
    <div className="empty" role="alert">
      <CircleAlert size={32} className="text-bad" />
      <p className="empty-title">{title}</p>
      {message && <p>{message}</p>}
      {onRetry && (
        <Button variant="line" pending={pending} onClick={onRetry}>
          {retryLabel}
        </Button>
      )}
      {action}
    </div>
  )
}
