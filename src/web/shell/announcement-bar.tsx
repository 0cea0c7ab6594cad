import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { Link, useRouter } from '@tanstack/react-router'
import { Info, X } from 'lucide-react'
import { currentUser } from '#features/accounts/contract.ts'
import { listOwnAnnouncements } from '#features/announcements/contract.ts'
import { getSite } from '#features/settings/contract.ts'
import { query } from '../data.ts'
import { Button } from '../ui/button/button.tsx'
import { useLocalStorage } from '../ui/use-local-storage.ts'

const key = 'dismissed-announcements'
/** Hides dismissed announcements before the first paint, so that the page does not move later. */
const hideDismissed = `try{var d=","+localStorage.getItem("${key}")+",";document.querySelectorAll("[data-announcement]").forEach(function(e){if(d.includes(","+e.dataset.announcement+","))e.hidden=true})}catch(e){}`
const remembered = 50

/** The announcements of the operator below the header. A dismissed one is not shown again in this browser. */
export function AnnouncementBar() {
  const { data: site } = useSuspenseQuery(query(getSite))
  const { data: user } = useSuspenseQuery(query(currentUser))
  const { ssr } = useRouter().options
  const { data: own } = useQuery({ ...query(listOwnAnnouncements), enabled: user !== null })
  const [stored, store] = useLocalStorage(key)
  const dismissed = stored.split(',').filter(Boolean)
  const all = user && own ? own.filter(({ isShown }) => isShown) : site.announcements
  const shown = all.filter(({ id }) => !dismissed.includes(String(id)))
  if (shown.length === 0) return null
  const dismiss = (id: number) => {
    store([...dismissed, String(id)].slice(-remembered).join(','))
    const next = shown.find((each) => each.id !== id)
    const target = document.querySelector<HTMLElement>(next ? `[data-announcement="${next.id}"] button` : 'main h1')
    if (!next && target) target.tabIndex = -1
    target?.focus({ preventScroll: true })
  }
  return (
    <aside aria-label="Announcements" className="announced">
      {shown.map(({ id, title, summary, linkLabel, linkPath }) => (
        <div key={id} data-announcement={id} suppressHydrationWarning>
          <div className="wrap">
            <Info size={20} aria-hidden="true" />
            <p>
              <strong>{title}</strong> {summary}
              {linkPath && (
                <>
                  {' '}
                  <Link to={linkPath as never} className="link">
                    {linkLabel}
                  </Link>
                </>
              )}
            </p>
            <Button variant="ghost" size="sm" icon aria-label={`Dismiss: ${title}`} onClick={() => dismiss(id)}>
              <X size={18} />
            </Button>
          </div>
        </div>
      ))}
      <script nonce={ssr?.nonce} suppressHydrationWarning>
        {import.meta.env.SSR ? hideDismissed : ''}
      </script>
    </aside>
  )
}
