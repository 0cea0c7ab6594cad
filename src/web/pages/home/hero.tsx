import { ArrowRight, Headset, RotateCcw, Sparkles, Tv } from 'lucide-react'
import type { Site } from '#features/settings/contract.ts'
import { HeroWall } from '../../brand/hero-wall.tsx'
import { PeekingMascot } from '../../brand/peeking-mascot.tsx'
import { TestBars } from '../../brand/test-bars.tsx'
import { ButtonLink } from '../../ui/button/button-link.tsx'

/** The first screen of the home page: 85 % of the viewport height, dark in both themes. */
export function Hero({ site: { brand, claims } }: { site: Pick<Site, 'brand' | 'claims'> }) {
  // The last word has the accent color.
  const [, start = '', last = ''] = /^(.*\s)?(\S+)$/.exec(brand.headline) ?? []
  return (
    <section className="hero stage">
      <div className="hero-art" aria-hidden="true">
        <HeroWall />
        <div className="hero-fade" />
        <PeekingMascot />
        <TestBars />
      </div>
      <div className="wrap">
        <div className="hero-copy">
          <h1 tabIndex={-1}>
            {start}
            <em>{last}</em>
          </h1>
          <p className="hero-tag">{brand.tagline}</p>
          <div className="hero-actions">
            <ButtonLink to="/pricing" size="lg">
              Get Started
            </ButtonLink>
            <ButtonLink to="/request-trial" variant="line" size="lg">
              Try For Free
            </ButtonLink>
            <ButtonLink to="/channels" variant="ghost" size="lg">
              Explore Channels
              <ArrowRight size={20} />
            </ButtonLink>
          </div>
          <ul className="hero-facts">
            <li>
              <Tv size={18} />
              <span>
                <b className="num">{claims.liveChannels}</b> live channels
              </span>
            </li>
            <li>
              <Sparkles size={18} />
              <span>
                <b>HD & 4K</b> quality
              </span>
            </li>
            <li>
              <RotateCcw size={18} />
              <span>
                <b>{claims.moneyBackDays}-day</b> money back
              </span>
            </li>
            <li>
              <Headset size={18} />
              <span>
                <b>{claims.support}</b> support
              </span>
            </li>
          </ul>
        </div>
      </div>
    </section>
  )
}
