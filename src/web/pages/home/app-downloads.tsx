import { useSuspenseQuery } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import { getSite, type Site } from '#features/settings/contract.ts'
import { query } from '../../data.ts'
import { ButtonAnchor } from '../../ui/button/button-anchor.tsx'
import { ButtonLink } from '../../ui/button/button-link.tsx'

const platforms: { key: keyof Site['apps']; label: string }[] = [
  { key: 'android', label: 'Android' },
  { key: 'ios', label: 'iOS' },
  { key: 'web', label: 'Web App' },
]

/** The links to the apps. A platform without a URL is shown as coming soon. The web app is the player unless another URL is set. */
export function AppDownloads() {
  const { data: site } = useSuspenseQuery(query(getSite))
  const apps = { ...site.apps, web: site.apps.web || site.playerUrl }
  return (
    <div className="included mt-8">
      <ButtonLink to="/setup" hash="apps">
        <Download size={20} />
        Download Our Apps
      </ButtonLink>
      {platforms.some(({ key }) => apps[key]) && <p className="text-fg-2">or go straight to</p>}
      <ul className="flex flex-wrap gap-2.5">
        {platforms.map(({ key, label }) => (
          <li key={key}>
            {apps[key] ? (
              <ButtonAnchor href={apps[key]} variant="line" target="_blank" rel="noreferrer">
                {label}
              </ButtonAnchor>
            ) : (
              <span className="inline-flex min-h-11 items-center gap-1.5 px-2 text-fg-2">
                {label}
                <small>(coming soon)</small>
              </span>
            )}
          </li>
        ))}
      </ul>
    </div>
  )
}
