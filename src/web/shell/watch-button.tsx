import { Play } from 'lucide-react'
import { ButtonAnchor } from '../ui/button/button-anchor.tsx'
import { ButtonLink } from '../ui/button/button-link.tsx'

interface Props {
  /** The URL of the configured player; empty if channels are watched on this site. */
  playerUrl: string
}

/** The Watch button in the header, for members with a running subscription. It has the position of Subscribe Now. */
export function WatchButton({ playerUrl }: Props) {
  const content = (
    <>
      <Play size={18} className="fill-current" />
      Watch
    </>
  )
  return playerUrl ? (
    <ButtonAnchor className="top-cta top-watch" href={playerUrl} target="_blank" rel="noopener noreferrer">
      {content}
      <span className="sr-only"> (opens in a new tab)</span>
    </ButtonAnchor>
  ) : (
    <ButtonLink to={'/watch' as never} className="top-cta top-watch">
      {content}
    </ButtonLink>
  )
}
