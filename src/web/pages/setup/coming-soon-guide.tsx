import { Mascot } from '../../brand/mascot.tsx'
import { ButtonLink } from '../../ui/button/button-link.tsx'

/** Shows the specified text for a guide that does not exist yet. */
export function ComingSoonGuide({ device }: { device: string }) {
  return (
    <div className="empty">
      <Mascot tier={2} eyes={1} size={88} lid={0.8} />
      <h2 className="text-xl">Coming soon</h2>
      <p>The guide for {device} is coming soon. Until then, support can walk you through it.</p>
      <div className="mt-3">
        <ButtonLink to="/contact" variant="line">
          Contact Support
        </ButtonLink>
      </div>
    </div>
  )
}
