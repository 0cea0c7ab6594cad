import { useSuspenseQuery } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import { getSite, type Site } from '#features/settings/contract.ts'
import { query } from '../../data.ts'
import { ButtonAnchor } from '../../ui/button/button-anchor.tsx'
import { ButtonLink } from '../../ui/button/button-link.tsx'

const platforms: { key: keyof Site['apps']; label: string; guide: string }[] = [
  { key: 'android', label: 'Android', guide: 'android' },
  { key: 'ios', label: 'iOS', guide: 'other' },
  { key: 'web', label: 'Web App', guide: 'other' },
]

/** The links to the apps. A platform without a URL links to the setup guide instead. */
export function AppDownloads() {
  const { data: site } = useSuspenseQuery(query(getSite))
  return (
    <div className="included mt-8">
      <ButtonLink to="/setup" hash="apps">
        <Download size={20} />
        Download Our Apps
      </ButtonLink>
      <p className="text-fg-2">or go straight to</p>
      <ul className="flex flex-wrap gap-2.5">
        {platforms.map(({ key, label, guide }) => (
          <li key={key}>
            {site.apps[key] ? (
              <ButtonAnchor href={site.apps[key]} variant="line" target="_blank" rel="noreferrer">
                {label}
              </ButtonAnchor>
            ) : (
              <ButtonLink to="/setup" search={{ device: guide }} variant="line">
                {label}
              </ButtonLink>
            )}
          </li>
        ))}
      </ul>
    </div>
  )
}
