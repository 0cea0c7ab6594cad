import { CalendarClock, Globe, Headset, MonitorSmartphone, Sparkles, Tv } from 'lucide-react'
import type { Site } from '#features/settings/contract.ts'
import { SectionHead } from '../../ui/section-head.tsx'

/** The six features (specification 2, Home and hero), with the claims from the settings. */
export function FeaturesSection({ site: { claims, chat } }: { site: Site }) {
  const features = [
    {
      icon: Tv,
      title: `${claims.liveChannels} Live Channels`,
      text: `Live TV from over ${claims.countries.replace(/\+$/, '')} countries, sorted by category.`,
    },
    {
      icon: MonitorSmartphone,
      title: 'Multi-Device Support',
      text: 'TV, phone, tablet, computer and set-top box with one account.',
    },
    { icon: Sparkles, title: 'HD & 4K Quality', text: 'HD and 4K on every channel that offers them.' },
    {
      icon: CalendarClock,
      title: `${claims.catchUpDays}-Day Catch Up`,
      text: 'Missed it? Watch it later on select premium channels.',
    },
    { icon: Globe, title: 'Global Access', text: 'No geo-restrictions: your channels travel with you.' },
    {
      icon: Headset,
      title: `${claims.support} Support`,
      text: `Real people answer by phone${chat.provider === 'off' ? ' and email' : ', email and live chat'}.`,
    },
  ]
  return (
    <section className="section" id="features" aria-labelledby="features-title">
      <div className="wrap">
        <SectionHead
          id="features-title"
          title="Everything in one place"
          lead="Live TV, movies and shows. No contract and no technician."
        />
        <ul className="tiles tiles-3">
          {features.map(({ icon: Icon, title, text }) => (
            <li key={title} className="tile">
              <Icon className="tile-icon" size={26} />
              <h3>{title}</h3>
              <p>{text}</p>
            </li>
          ))}
        </ul>
      </div>
    </section>
  )
}
