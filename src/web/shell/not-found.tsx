import { Mascot } from '../brand/mascot.tsx'
import { ButtonLink } from '../ui/button/button-link.tsx'

export function NotFound() {
  return (
    <div className="wrap section">
      <title>404 Page Not Found</title>
      <meta name="robots" content="noindex" />
      <div className="empty">
        <Mascot tier={3} eyes={3} size={180} look={[0.46, -0.12]} />
        <h1 tabIndex={-1}>404 Page Not Found</h1>
        <p>We can't find that page. It may have moved, or the address may contain a typo.</p>
        <div className="mt-3 flex flex-wrap justify-center gap-3">
          <ButtonLink to="/">Back to Home</ButtonLink>
          <ButtonLink to="/channels" variant="line">
            Explore Channels
          </ButtonLink>
        </div>
      </div>
    </div>
  )
}
