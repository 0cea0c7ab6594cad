import { useRouter } from '@tanstack/react-router'
import { Mascot } from '../brand/mascot.tsx'
import { Button } from '../ui/button/button.tsx'
import { ButtonLink } from '../ui/button/button-link.tsx'

interface Props {
  /** Resets the error boundary of the router. */
  reset?: () => void
  /** Called instead of the router's retry. */
  onRetry?: () => void
  /** A sentence for users, without status codes or stack traces. */
  message?: string
}

export function ErrorView({
  reset,
  onRetry,
  message = 'The page could not be loaded. Please try again in a moment.',
}: Props) {
  const router = useRouter()
  const retry = () => {
    if (onRetry) return onRetry()
    reset?.()
    void router.invalidate()
  }
  return (
    <div className="wrap section">
      <div className="empty" role="alert">
        <Mascot tier={4} eyes={2} size={160} look={[0, 0.4]} lid={0.45} mouth={false} />
        <h1 tabIndex={-1}>Something went wrong</h1>
        <p>{message}</p>
        <div className="mt-3 flex flex-wrap justify-center gap-3">
          <Button onClick={retry}>Retry</Button>
          <ButtonLink to="/" variant="line">
            Back to Home
          </ButtonLink>
        </div>
      </div>
    </div>
  )
}
