import { CalendarClock, Globe, Headset, MonitorSmartphone, Sparkles, Tv } from 'lucide-react'
import type { Site } from '#features/settings/contract.ts'
import { SectionHead } from '../../ui/section-head.tsx'

/** The six features (specification 2, Home and hero); figures come from the operator's claims. */
export function FeaturesSection({ claims }: { claims: Site['claims'] }) {
  const features = [
    {
      icon: Tv,
      title: `${claims.liveChannels} Live Channels`,
      text: `Television from over ${claims.countries.replace(/\+$/, '')} countries, sorted by what you like.`,
    },
    {
      icon: MonitorSmartphone,
      title: 'Multi-Device Support',
      text: 'Television, phone, tablet, computer and set-top box with one account.',
    },
    { icon: Sparkles, title: 'HD & 4K Quality', text: 'Sharp pictures wherever the channel is broadcast that way.' },
    {
      icon: CalendarClock,
      title: `${claims.catchUpDays}-Day Catch Up`,
      text: 'Missed it? Watch it later on select premium channels.',
    },
    { icon: Globe, title: 'Global Access', text: 'No geo-restrictions: your channels travel with you.' },
    { icon: Headset, title: `${claims.support} Support`, text: 'A person answers by phone, e-mail and live chat.' },
  ]
  return (
    <section className="section" id="features" aria-labelledby="features-title">
      <div className="wrap">
        <SectionHead
          id="features-title"
          title="Everything in one place"
          lead="Live television, movies and shows, without a contract and without a technician."
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
